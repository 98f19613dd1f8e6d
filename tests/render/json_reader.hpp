// A strict reader of JSON (RFC 8259) of the tests' own: it shares no code with what it judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::test {

// A scalar of a document: where it stands, as in `$.a[3].b`, and its bytes.
struct json_scalar {
    std::string path;
    std::string token;
    std::size_t at = 0; // where its first byte is
    friend bool operator==(const json_scalar&, const json_scalar&) = default;
};

class json_reader {
public:
    explicit json_reader(std::string_view text) : text_(text) {}

    // Reads the whole text; false when it is not exactly one value, without white space around it in compact documents.
    bool read() {
        space();
        if (!value("$"))
            return false;
        space();
        return at_ == text_.size();
    }

    const std::vector<json_scalar>& scalars() const noexcept { return scalars_; }

    // The characters of a string token as UTF-8; nothing where it is not a string.
    static std::optional<std::string> string_value(std::string_view token) {
        json_reader reader(token);
        std::string text;
        if (!reader.string(&text) || reader.at_ != token.size())
            return std::nullopt;
        return text;
    }

private:
    bool ends() const noexcept { return at_ == text_.size(); }
    bool next_is(char c) const noexcept { return !ends() && text_[at_] == c; }
    bool take(char c) {
        if (!next_is(c))
            return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word))
            return false;
        at_ += word.size();
        return true;
    }
    void space() {
        while (!ends() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }

    bool value(const std::string& path) {
        if (next_is('{'))
            return object(path);
        if (next_is('['))
            return array(path);
        const std::size_t start = at_;
        const bool right = next_is('"') ? string(nullptr) : take("true") || take("false") || take("null") || number();
        if (right)
            scalars_.push_back({path, std::string(text_.substr(start, at_ - start)), start});
        return right;
    }

    bool object(const std::string& path) {
        take('{');
        space();
        if (take('}'))
            return true;
        do {
            space();
            std::string name;
            if (!string(&name))
                return false;
            space();
            if (!take(':'))
                return false;
            space();
            if (!value(path + "." + name))
                return false;
            space();
        } while (take(','));
        return take('}');
    }

    bool array(const std::string& path) {
        take('[');
        space();
        if (take(']'))
            return true;
        std::size_t index = 0;
        do {
            space();
            if (!value(path + "[" + std::to_string(index++) + "]"))
                return false;
            space();
        } while (take(','));
        return take(']');
    }

    bool digits() {
        const std::size_t start = at_;
        while (!ends() && text_[at_] >= '0' && text_[at_] <= '9')
            ++at_;
        return at_ != start;
    }

    bool number() {
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            return digits();
        }
        return true;
    }

    static int hexadecimal(char c) noexcept {
        if (c >= '0' && c <= '9')
            return c - '0';
        if (c >= 'a' && c <= 'f')
            return c - 'a' + 10;
        if (c >= 'A' && c <= 'F')
            return c - 'A' + 10;
        return -1;
    }

    bool four_digits(std::uint32_t& unit) {
        unit = 0;
        for (int i = 0; i < 4; ++i) {
            const int digit = ends() ? -1 : hexadecimal(text_[at_]);
            if (digit < 0)
                return false;
            unit = unit * 16 + static_cast<std::uint32_t>(digit);
            ++at_;
        }
        return true;
    }

    static void append(std::string& to, std::uint32_t point) {
        const auto byte = [&](std::uint32_t bits) { to += static_cast<char>(static_cast<unsigned char>(bits)); };
        if (point < 0x80) {
            byte(point);
        } else if (point < 0x800) {
            byte(0xc0 | (point >> 6));
            byte(0x80 | (point & 0x3f));
        } else if (point < 0x10000) {
            byte(0xe0 | (point >> 12));
            byte(0x80 | ((point >> 6) & 0x3f));
            byte(0x80 | (point & 0x3f));
        } else {
            byte(0xf0 | (point >> 18));
            byte(0x80 | ((point >> 12) & 0x3f));
            byte(0x80 | ((point >> 6) & 0x3f));
            byte(0x80 | (point & 0x3f));
        }
    }

    bool escape(std::string& to) {
        if (ends())
            return false;
        const char letter = text_[at_++];
        const std::string_view from = "\"\\/bfnrt";
        if (const std::size_t index = from.find(letter); index != std::string_view::npos) {
            to += "\"\\/\b\f\n\r\t"[index];
            return true;
        }
        std::uint32_t unit = 0;
        if (letter != 'u' || !four_digits(unit))
            return false;
        if (unit >= 0xd800 && unit < 0xdc00) {
            std::uint32_t low = 0;
            if (!take("\\u") || !four_digits(low) || low < 0xdc00 || low > 0xdfff)
                return false;
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        } else if (unit >= 0xdc00 && unit < 0xe000) {
            return false;
        }
        append(to, unit);
        return true;
    }

    // One character of UTF-8, checked by decoding it and encoding it again.
    bool character(std::string& to) {
        const auto lead = static_cast<unsigned char>(text_[at_]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        std::uint32_t point = size == 1 ? lead : lead & (0xffU >> (size + 1));
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || text_.size() - at_ < size)
            return false;
        for (std::size_t i = 1; i < size; ++i) {
            const auto byte = static_cast<unsigned char>(text_[at_ + i]);
            if ((byte & 0xc0) != 0x80)
                return false;
            point = (point << 6) | (byte & 0x3fU);
        }
        if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
            return false;
        std::string again;
        append(again, point);
        if (again != text_.substr(at_, size))
            return false;
        to += again;
        at_ += size;
        return true;
    }

    bool string(std::string* result) {
        std::string text;
        if (!take('"'))
            return false;
        while (!ends() && text_[at_] != '"') {
            if (static_cast<unsigned char>(text_[at_]) < 0x20)
                return false;
            if (take('\\') ? !escape(text) : !character(text))
                return false;
        }
        if (result != nullptr)
            *result = std::move(text);
        return take('"');
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<json_scalar> scalars_;
};

// Whether a text is a complete JSON document.
inline bool is_json(std::string_view text) {
    return json_reader(text).read();
}

} // namespace sluice::test
