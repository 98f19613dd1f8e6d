#include <sluice/encode/utf8.hpp>
#include <sluice/render/string_writer.hpp>

#include <algorithm>

namespace sluice {

string_writer::~string_writer() {
    if (carried_size_ != 0 && !doc_.failed() && scope_.exceptions == doc_.exceptions_in_flight()) {
        if (doc_.json().invalid_utf8() == invalid_utf8_policy::error)
            doc_.keep_misuse(errc::invalid_utf8, detail::label(), "the string ends within a character");
        else
            doc_.append_closing("\xef\xbf\xbd", 3);
    }
    doc_.close_scope(scope_, '"');
}

// Returns where to go on when there is room, or null when the piece is through.
const char* string_writer::more(const char* from, const char* end) {
    while (carried_size_ != 0 && from != end) {
        // Byte by byte, until the character is whole or turns out to be none.
        carried_[carried_size_++] = *from++;
        const auto step = encode::classify_utf8(carried_, carried_size_);
        if (step.kind == encode::utf8_kind::incomplete)
            continue;
        if (step.kind == encode::utf8_kind::invalid) {
            if (doc_.json().invalid_utf8() == invalid_utf8_policy::error)
                doc_.misuse(errc::invalid_utf8, detail::label(), "a piece of a string is not valid UTF-8");
            // The last byte may begin a new character.
            carried_size_ = 0;
            --from;
            doc_.append("\xef\xbf\xbd", 3);
            break;
        }
        char whole[16];
        const auto escaped = encode::escape(carried_, carried_ + carried_size_, whole, whole + sizeof whole,
                                            {doc_.json().html_safe()}, true);
        doc_.append(whole, static_cast<std::size_t>(escaped.written - whole));
        carried_size_ = 0;
    }
    if (from == end)
        return nullptr;
    const char* rest = doc_.more_text(from, end, false);
    if (rest == nullptr)
        return nullptr;
    const auto left = static_cast<std::size_t>(end - rest);
    if (left < 4 && encode::classify_utf8(rest, left).kind == encode::utf8_kind::incomplete) {
        carried_size_ = left;
        std::copy(rest, end, carried_);
        return nullptr;
    }
    return rest;
}

string_writer::piece_written::piece_written(string_writer& writer, std::string_view piece)
    : writer_(writer), at_(nullptr), end_(piece.data() + piece.size()) {
    detail::document& doc = writer.doc_;
    doc.check_writable(writer.scope_.serial, detail::label());
    // The part that can be checked: all but a character that begins or ends in another piece.
    if (doc.json().invalid_utf8() == invalid_utf8_policy::error && writer.carried_size_ == 0) {
        const std::size_t valid = encode::valid_prefix(piece.data(), piece.size());
        const std::size_t left = piece.size() - valid;
        if (left != 0 &&
            (left > 3 || encode::classify_utf8(piece.data() + valid, left).kind != encode::utf8_kind::incomplete))
            doc.misuse(errc::invalid_utf8, detail::label(), "a piece of a string is not valid UTF-8");
    }
    if (!piece.empty())
        at_ = writer.more(piece.data(), end_);
    if (at_ != nullptr)
        doc.hold();
}

string_writer::piece_written::~piece_written() {
    if (at_ != nullptr)
        writer_.doc_.keep_misuse(errc::value_not_awaited, detail::label::of_root(),
                                 "the rest of a piece was never written");
}

bool string_writer::piece_written::proceed(void* object) {
    auto& self = *static_cast<piece_written*>(object);
    if (self.at_ == nullptr)
        return true;
    self.at_ = self.writer_.more(self.at_, self.end_);
    if (self.at_ == nullptr)
        self.writer_.doc_.release();
    return self.at_ == nullptr;
}

} // namespace sluice
