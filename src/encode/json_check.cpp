#include <sluice/encode/json_check.hpp>
#include <sluice/encode/utf8.hpp>

#include <algorithm>
#include <vector>

namespace sluice::encode {

namespace {

class json_checker {
public:
    json_checker(std::string_view text, json_part part, std::size_t depth_limit, const key_listener* keys)
        : begin_(text.data()),
          at_(begin_),
          end_(begin_ + text.size()),
          depth_limit_(depth_limit),
          keys_(keys),
          outer_(part == json_part::value ? 0 : 1) {
        if (part != json_part::value) // as if in brackets, which are not there
            in_object_.push_back(part == json_part::pairs);
    }

    json_problem check() {
        if (outer_ == 0) {
            values();
        } else if (at_ != end_) {
            skip_space();
            if (in_object_.back())
                key();
            values();
        }
        if (what_ == nullptr && at_ != end_)
            fail("something stands behind the end");
        return {what_, static_cast<std::size_t>(at_ - begin_)};
    }

private:
    // The values that stand here, with their commas and keys, up to the end.
    void values() {
        while (what_ == nullptr) {
            skip_space();
            if (take('{')) {
                open(true);
                skip_space();
                if (take('}')) {
                    in_object_.pop_back();
                } else {
                    key();
                    continue;
                }
            } else if (take('[')) {
                open(false);
                skip_space();
                if (take(']'))
                    in_object_.pop_back();
                else
                    continue;
            } else {
                scalar();
            }
            if (!behind_value())
                return;
        }
    }

    // Closes what ends here. True when another value follows.
    bool behind_value() {
        while (what_ == nullptr) {
            skip_space();
            if (at_ == end_) {
                if (in_object_.size() > outer_)
                    fail("a container is not closed");
                return false;
            }
            if (in_object_.empty())
                return false;
            if (take(',')) {
                if (in_object_.back()) {
                    skip_space();
                    key();
                }
                return true;
            }
            if (in_object_.size() == outer_ || !take(in_object_.back() ? '}' : ']')) {
                fail(in_object_.size() == outer_ ? "neither a comma nor the end stands behind a value"
                                                 : "neither a comma nor a closing bracket stands behind a value");
                return false;
            }
            in_object_.pop_back();
        }
        return false;
    }

    void open(bool object) {
        in_object_.push_back(object);
        if (in_object_.size() - outer_ > depth_limit_)
            fail("it is nested too deep");
    }

    void key() {
        const char* const from = at_ + 1;
        if (!take('"')) {
            fail("a key is missing");
            return;
        }
        string();
        if (what_ != nullptr)
            return;
        if (keys_ != nullptr && in_object_.size() == 1)
            keys_->found(keys_->object, {from, static_cast<std::size_t>(at_ - 1 - from)});
        skip_space();
        if (!take(':'))
            fail("a key has no colon");
    }

    void scalar() {
        if (at_ == end_)
            fail("a value is missing");
        else if (take('"'))
            string();
        else if (*at_ == '-' || is_digit())
            number();
        else if (!word("true") && !word("false") && !word("null"))
            fail("this is no value");
    }

    void string() {
        while (at_ != end_) {
            const auto c = static_cast<unsigned char>(*at_);
            if (c == '"') {
                ++at_;
                return;
            }
            if (c < 0x20) {
                fail("a string holds a control character");
                return;
            }
            if (c == '\\') {
                escape();
                if (what_ != nullptr)
                    return;
            } else if (c < 0x80) {
                ++at_;
            } else {
                const utf8_step step = classify_utf8(at_, static_cast<std::size_t>(end_ - at_));
                if (step.kind != utf8_kind::valid) {
                    fail("a string is not UTF-8");
                    return;
                }
                at_ += step.length;
            }
        }
        fail("a string is not closed");
    }

    void escape() {
        ++at_;
        if (at_ != end_ && std::string_view("\"\\/bfnrt").find(*at_) != std::string_view::npos) {
            ++at_;
            return;
        }
        if (!take('u')) {
            fail("this is no escape");
            return;
        }
        for (int digits = 0; digits < 4; ++digits, ++at_) {
            const bool hexadecimal =
                at_ != end_ && (is_digit() || (*at_ >= 'a' && *at_ <= 'f') || (*at_ >= 'A' && *at_ <= 'F'));
            if (!hexadecimal) {
                fail("an escape has four hexadecimal digits");
                return;
            }
        }
    }

    void number() {
        take('-');
        if (!take('0'))
            digits();
        if (take('.'))
            digits();
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            digits();
        }
    }
    void digits() {
        if (!is_digit())
            fail("a digit is missing");
        while (is_digit())
            ++at_;
    }

    bool is_digit() const noexcept { return at_ != end_ && *at_ >= '0' && *at_ <= '9'; }
    bool take(char c) noexcept {
        if (at_ == end_ || *at_ != c)
            return false;
        ++at_;
        return true;
    }
    bool word(std::string_view text) noexcept {
        if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text))
            return false;
        at_ += text.size();
        return true;
    }
    void skip_space() noexcept {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r'))
            ++at_;
    }
    void fail(const char* what) noexcept {
        if (what_ == nullptr)
            what_ = what;
    }

    const char* const begin_;
    const char* at_;
    const char* const end_;
    const std::size_t depth_limit_;
    const key_listener* const keys_;
    const char* what_ = nullptr;
    std::vector<bool> in_object_; // for each open container: an object, not an array
    const std::size_t outer_;     // of them, that have no brackets
};

} // namespace

json_problem check_json(std::string_view text, json_part part, std::size_t depth_limit, const key_listener* keys) {
    return json_checker(text, part, depth_limit, keys).check();
}

namespace {

unsigned hexadecimal(std::string_view digits) {
    unsigned value = 0;
    for (const char c : digits)
        value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
}

void append_utf8(std::string& text, unsigned code) {
    const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else {
        if (code < 0x10000) {
            add(0xe0 | code >> 12);
        } else {
            add(0xf0 | code >> 18);
            add(0x80 | (code >> 12 & 0x3f));
        }
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

} // namespace

std::string unescape(std::string_view escaped) {
    std::string plain;
    while (!escaped.empty()) {
        const std::size_t run = std::min(escaped.find('\\'), escaped.size());
        plain += escaped.substr(0, run);
        escaped.remove_prefix(run);
        if (escaped.empty())
            break;
        constexpr std::string_view letters = "bfnrt";
        constexpr std::string_view characters = "\b\f\n\r\t";
        const char letter = escaped[1];
        if (letter != 'u') {
            const std::size_t which = letters.find(letter);
            plain += which == std::string_view::npos ? letter : characters[which];
            escaped.remove_prefix(2);
            continue;
        }
        const auto is_surrogate = [](unsigned code, unsigned from) { return code >= from && code < from + 0x400; };
        const unsigned first = hexadecimal(escaped.substr(2, 4));
        const unsigned second = escaped.substr(6, 2) == "\\u" ? hexadecimal(escaped.substr(8, 4)) : 0;
        if (is_surrogate(first, 0xd800) && is_surrogate(second, 0xdc00)) {
            append_utf8(plain, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            escaped.remove_prefix(12);
            continue;
        }
        if (is_surrogate(first, 0xd800) || is_surrogate(first, 0xdc00))
            plain += escaped.substr(0, 6);
        else
            append_utf8(plain, first);
        escaped.remove_prefix(6);
    }
    return plain;
}

} // namespace sluice::encode
