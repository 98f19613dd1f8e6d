// The choices a JSON document leaves open.
#pragma once

namespace sluice {

// What becomes of a string that is not well-formed UTF-8.
enum class invalid_utf8_policy : unsigned char {
    replace, // each maximal ill-formed subpart becomes one U+FFFD; nothing fails
    error,   // the render fails before the string's opening quote is written
};

// What becomes of NaN and the infinities, for which JSON has no text.
enum class non_finite_policy : unsigned char {
    error, // the render fails before the member's comma and key are written
    null,  // null is written
};

// What becomes of a member whose value is an empty optional, a null pointer to characters, std::nullopt or
// std::monostate; the key is not written before that is known. An absent element of an array is always null, so that
// the others keep their places. `nullptr` and slot::null are never absent: they say null.
enum class absent_policy : unsigned char {
    null,  // the member's value is null
    omit,  // the member is left out, key and all; an absent root is null
    error, // the render fails (errc::absent_value), for members that the reader relies on
};

// What becomes of integers. JavaScript reads every number as a double, which holds all integers up to 2^53 - 1
// (Number.MAX_SAFE_INTEGER, ECMA-262 section 21.1.2.6) and rounds those beyond in silence.
enum class integer_policy : unsigned char {
    number,             // a number, whatever its size
    string_when_unsafe, // a string where it is beyond 2^53 - 1, or below -(2^53 - 1)
    string,             // a string always
};

// How a JSON document is written. Each setter returns the object, so that they chain:
//
//     const sluice::json_options options = sluice::json_options().html_safe(true).indent(2);
//
// Trivially copyable; a copy is a handful of bytes. A class and not an aggregate on purpose: g++ 12 destroys aggregate
// temporaries twice in expressions that contain co_await.
class json_options {
public:
    constexpr json_options() noexcept {}

    // Whether '<', '>', '&', U+2028 and U+2029 are escaped, in keys and values, so that the document may stand inside
    // an HTML <script> element. What is spliced is written as it is given. Default: false.
    constexpr json_options& html_safe(bool value) noexcept {
        html_safe_ = value;
        return *this;
    }
    [[nodiscard]] constexpr bool html_safe() const noexcept { return html_safe_; }

    // Default: invalid_utf8_policy::replace.
    constexpr json_options& invalid_utf8(invalid_utf8_policy value) noexcept {
        invalid_utf8_ = value;
        return *this;
    }
    [[nodiscard]] constexpr invalid_utf8_policy invalid_utf8() const noexcept { return invalid_utf8_; }

    // Default: non_finite_policy::error.
    constexpr json_options& non_finite(non_finite_policy value) noexcept {
        non_finite_ = value;
        return *this;
    }
    [[nodiscard]] constexpr non_finite_policy non_finite() const noexcept { return non_finite_; }

    // Whether a float or double that is a whole number is written with a decimal point, 16.0, rather than as 16.
    // Default: false.
    constexpr json_options& whole_doubles_as_decimals(bool value) noexcept {
        whole_doubles_as_decimals_ = value;
        return *this;
    }
    [[nodiscard]] constexpr bool whole_doubles_as_decimals() const noexcept { return whole_doubles_as_decimals_; }

    // Default: integer_policy::number.
    constexpr json_options& integers(integer_policy value) noexcept {
        integers_ = value;
        return *this;
    }
    [[nodiscard]] constexpr integer_policy integers() const noexcept { return integers_; }

    // 0: compact, no white space at all. 1 to max_indent: pretty, each member and element on a line of its own,
    // indented by `spaces` for each level. More than max_indent counts as max_indent. Default: 0.
    constexpr json_options& indent(unsigned spaces) noexcept {
        indent_ = static_cast<unsigned char>(spaces < max_indent ? spaces : max_indent);
        return *this;
    }
    [[nodiscard]] constexpr unsigned indent() const noexcept { return indent_; }
    static constexpr unsigned max_indent = 16;

    // Default: absent_policy::null.
    constexpr json_options& absent(absent_policy value) noexcept {
        absent_ = value;
        return *this;
    }
    [[nodiscard]] constexpr absent_policy absent() const noexcept { return absent_; }

    // Digits of the fraction of a second in timestamps: 0 (no fraction, no point), 3, 6, 9, or any number between.
    // More than 9 counts as 9. Default: 3.
    constexpr json_options& timestamp_digits(unsigned digits) noexcept {
        timestamp_digits_ = static_cast<unsigned char>(digits < 9 ? digits : 9);
        return *this;
    }
    [[nodiscard]] constexpr unsigned timestamp_digits() const noexcept { return timestamp_digits_; }

    friend constexpr bool operator==(const json_options&, const json_options&) noexcept = default;

private:
    bool html_safe_ = false;
    invalid_utf8_policy invalid_utf8_ = invalid_utf8_policy::replace;
    non_finite_policy non_finite_ = non_finite_policy::error;
    bool whole_doubles_as_decimals_ = false;
    integer_policy integers_ = integer_policy::number;
    unsigned char indent_ = 0;
    absent_policy absent_ = absent_policy::null;
    unsigned char timestamp_digits_ = 3;
};

} // namespace sluice
