#include <sluice/output/shared_bytes.hpp>
#include <sluice/render/write.hpp>

#include <cmath>
#include <cstring>

namespace sluice {

namespace detail {

namespace {

template <class T>
void write_token(document& doc, std::uint32_t serial, label name, T value) {
    char text[encode::max_double_size];
    char* end = nullptr;
    if constexpr (encode::floating<T>)
        end = encode::write_number(text, value, doc.json().whole_doubles_as_decimals());
    else
        end = encode::write_scalar(text, value);
    doc.token(serial, name, {text, static_cast<std::size_t>(end - text)});
}

template <class T>
void write_integer(document& doc, std::uint32_t serial, label name, T value) {
    constexpr T safe = (T{1} << 53) - 1;
    const integer_policy policy = doc.in_force().integers;
    bool quoted = policy == integer_policy::string;
    if (policy == integer_policy::string_when_unsafe) {
        quoted = value > safe;
        if constexpr (std::is_signed_v<T>)
            quoted = quoted || value < -safe;
    }
    if (!quoted) {
        write_token(doc, serial, name, value);
        return;
    }
    char text[encode::max_integer_size + 2];
    text[0] = '"';
    char* const end = encode::write_scalar(text + 1, value);
    *end = '"';
    doc.token(serial, name, {text, static_cast<std::size_t>(end + 1 - text)});
}

template <class T>
void write_floating(document& doc, std::uint32_t serial, label name, T value) {
    if (std::isfinite(value)) {
        write_token(doc, serial, name, value);
    } else if (doc.json().non_finite() == non_finite_policy::null) {
        write_token(doc, serial, name, nullptr);
    } else {
        doc.check_writable(serial, name);
        doc.misuse(errc::not_finite, name, "the number is not finite");
    }
}

} // namespace

void scalar_slow(document& doc, std::uint32_t serial, label name, std::nullptr_t value) {
    write_token(doc, serial, name, value);
}
void scalar_slow(document& doc, std::uint32_t serial, label name, bool value) {
    write_token(doc, serial, name, value);
}
void scalar_slow(document& doc, std::uint32_t serial, label name, std::int64_t value) {
    write_integer(doc, serial, name, value);
}
void scalar_slow(document& doc, std::uint32_t serial, label name, std::uint64_t value) {
    write_integer(doc, serial, name, value);
}
void scalar_slow(document& doc, std::uint32_t serial, label name, double value) {
    write_floating(doc, serial, name, value);
}
void scalar_slow(document& doc, std::uint32_t serial, label name, float value) {
    write_floating(doc, serial, name, value);
}

void check_is_root(const slot& place) {
    const label name = slot_access::name(place);
    if (name.kind() != key_kind::root)
        slot_access::doc(place).misuse(errc::not_at_root, name, "with_context wraps a whole render");
}

void merge_of_wrong_kind(document& doc, const char* container) {
    doc.misuse(errc::merge_of_wrong_kind, label(),
               std::string("what the variant holds cannot be merged into ") + container);
}

void absent_value(document& doc, label name) {
    doc.misuse(errc::absent_value, name, "the value is absent");
}

void time_out_of_range(document& doc, label name, const char* why) {
    doc.misuse(errc::time_out_of_range, name, why);
}

namespace {

// Shared bytes of at least this size are referred to, smaller ones copied; and copied is what fits into the chunk,
// which would be sent half empty otherwise: what chunks hold then stays in proportion to what is buffered.
constexpr std::size_t reference_size = 4096;

written splice_shared(document& doc, std::uint32_t serial, label name, shared_bytes bytes) {
    doc.begin_value(serial, name);
    if (bytes.view().size() >= reference_size && bytes.view().size() > doc.room_below_mark())
        doc.append(std::move(bytes));
    else
        doc.append(bytes.view().data(), bytes.view().size());
    return written(doc);
}

void check_value_splice(document& doc, std::uint32_t serial, label name, std::string_view bytes) {
    if (!bytes.empty()) {
        doc.check_splice(serial, name, bytes, encode::json_part::value);
        return;
    }
    doc.check_writable(serial, name);
    doc.misuse(errc::invalid_splice, name, "an empty splice is no value");
}

} // namespace

} // namespace detail

using detail::label;
using detail::owned_text_written;
using detail::text_written;
using detail::written;

void slot::drop() noexcept {
    // An element is skipped; the root is missed at the end; an exception says more than the slot that it left.
    if (serial_ != 0 && !doc_->failed() && doc_->exceptions_in_flight() == 0) {
        if (name_.has_key())
            doc_->keep_misuse(errc::member_without_value, name_, "its slot was dropped unfilled");
        else if (name_.kind() == detail::key_kind::listed)
            doc_->keep_misuse(errc::value_not_awaited, name_, "an element's value was dropped before it was awaited");
    }
    if (name_.kind() == detail::key_kind::owned)
        delete[] name_.data;
}

slot object::kept_key(std::string_view name) {
    char* copy = new char[name.size() + 1];
    std::memcpy(copy, name.data(), name.size());
    return detail::slot_access::make(doc_, scope_.serial, label(copy, name.size(), detail::key_kind::owned));
}

written slot::splice(shared_bytes json) {
    const std::uint32_t serial = std::exchange(serial_, 0);
    const detail::document::count_one counted(*doc_, serial);
    detail::check_value_splice(*doc_, serial, name_, json.view());
    return detail::splice_shared(*doc_, serial, name_, std::move(json));
}

text_written slot::splice(std::string_view json) {
    const std::uint32_t serial = std::exchange(serial_, 0);
    const detail::document::count_one counted(*doc_, serial);
    detail::check_value_splice(*doc_, serial, name_, json);
    doc_->begin_value(serial, name_);
    return text_written(text_written::ready_bytes(), *doc_, json);
}

owned_text_written slot::splice_owned(std::string&& json) {
    const std::uint32_t serial = std::exchange(serial_, 0);
    const detail::document::count_one counted(*doc_, serial);
    detail::check_value_splice(*doc_, serial, name_, json);
    doc_->begin_value(serial, name_);
    return owned_text_written(text_written::ready_bytes(), *doc_, std::move(json));
}

// Pairs and elements: the same bytes, in an object or an array.

namespace detail {

namespace {

written splice_parts(document& doc, std::uint32_t serial, shared_bytes parts, encode::json_part what) {
    doc.check_writable(serial, label());
    doc.check_splice(serial, label(), parts.view(), what);
    const document::count_one counted(doc, serial);
    if (parts.view().empty())
        return written(doc);
    return splice_shared(doc, serial, label(), std::move(parts));
}

text_written splice_parts(document& doc, std::uint32_t serial, std::string_view parts, encode::json_part what) {
    doc.check_writable(serial, label());
    doc.check_splice(serial, label(), parts, what);
    const document::count_one counted(doc, serial);
    if (parts.empty())
        return text_written(doc);
    doc.begin_value(serial, label());
    return text_written(text_written::ready_bytes(), doc, parts);
}

owned_text_written splice_parts(document& doc, std::uint32_t serial, std::string&& parts, encode::json_part what) {
    doc.check_writable(serial, label());
    doc.check_splice(serial, label(), parts, what);
    const document::count_one counted(doc, serial);
    if (parts.empty())
        return owned_text_written(doc);
    doc.begin_value(serial, label());
    return owned_text_written(text_written::ready_bytes(), doc, std::move(parts));
}

} // namespace

} // namespace detail

written object::splice(shared_bytes pairs) {
    return detail::splice_parts(doc_, scope_.serial, std::move(pairs), encode::json_part::pairs);
}
text_written object::splice(std::string_view pairs) {
    return detail::splice_parts(doc_, scope_.serial, pairs, encode::json_part::pairs);
}
owned_text_written object::splice_owned(std::string&& pairs) {
    return detail::splice_parts(doc_, scope_.serial, std::move(pairs), encode::json_part::pairs);
}

written array::splice(shared_bytes elements) {
    return detail::splice_parts(doc_, scope_.serial, std::move(elements), encode::json_part::elements);
}
text_written array::splice(std::string_view elements) {
    return detail::splice_parts(doc_, scope_.serial, elements, encode::json_part::elements);
}
owned_text_written array::splice_owned(std::string&& elements) {
    return detail::splice_parts(doc_, scope_.serial, std::move(elements), encode::json_part::elements);
}

} // namespace sluice
