// Writing a value whole, with no await in it.
#pragma once

#include <sluice/encode/chrono_format.hpp>
#include <sluice/render/document.hpp>
#include <sluice/render/members.hpp>
#include <sluice/render/put_scalar.hpp>
#include <sluice/render/slot.hpp>
#include <sluice/render/value_kind.hpp>

#include <boost/describe/enum_to_string.hpp>
#include <boost/mp11/algorithm.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

// Of static_asserts on what is merged.
#define SLUICE_MERGED_INTO_OBJECT "sluice: a described struct or a map is merged into an object, and nothing else"
#define SLUICE_MERGED_INTO_ARRAY                                                                                       \
    "sluice: a range or an async_generator is merged into an array, and nothing else: a map's entries have keys"

namespace sluice::detail {

template <class T, class Pick = all_members>
void write_now(document& doc, std::uint32_t serial, label name, const T& value, Pick pick = {});

// The keys of a map that is a value are data, and stay as they are. Those that a template chooses, or merges into an
// object, are its members.
template <class Pick>
inline constexpr key_kind entry_keys = std::same_as<Pick, all_members> ? key_kind::data : key_kind::run_time;

inline label entry_label(std::string_view name, key_kind kind) {
    return label(name.data(), name.size(), kind);
}

[[noreturn]] void absent_value(document& doc, label name);

// Of a member or of the root; an absent element is null, so that the others keep their places.
inline void write_absent(document& doc, std::uint32_t serial, label name, absent_policy policy) {
    if (policy == absent_policy::null || !(name.has_key() || name.kind() == key_kind::root)) {
        put_scalar(doc, serial, name, nullptr);
        return;
    }
    doc.check_writable(serial, name);
    if (policy == absent_policy::error)
        absent_value(doc, name);
    if (name.kind() == key_kind::root)
        put_scalar(doc, serial, name, nullptr);
}
inline void write_absent(document& doc, std::uint32_t serial, label name) {
    write_absent(doc, serial, name, doc.in_force().absent);
}

// Whether a value is absent, for types that can say so.
template <class T>
constexpr bool is_absent(const T& value) noexcept {
    if constexpr (kind_of<T> == value_kind::optional)
        return !value.has_value();
    else
        return is_null_text(value);
}

template <class T>
consteval bool can_be_absent() {
    using U = taken_t<T>;
    static_assert(kind_of<U> == value_kind::optional || std::is_pointer_v<U>,
                  "sluice: an absent_policy goes with a value that can be absent: a std::optional or a const char*");
    return true;
}

[[noreturn]] void time_out_of_range(document& doc, label name, const char* why);

template <class T>
void write_time(document& doc, std::uint32_t serial, label name, const T& value) {
    char text[encode::max_timestamp_size + encode::max_duration_size];
    char* end = nullptr;
    if constexpr (time_point_like<T>)
        end = encode::write_timestamp(text, value, doc.json().timestamp_digits());
    else
        end = encode::write_duration(text, value);
    if (end == nullptr) {
        doc.check_writable(serial, name);
        time_out_of_range(doc, name,
                          time_point_like<T> ? "the time point is outside the years 0000 to 9999"
                                             : "the duration is 2^63 seconds or more, or not a number");
    }
    doc.whole_text(serial, name, {text, static_cast<std::size_t>(end - text)});
}

template <class T>
void write_enumerator(document& doc, std::uint32_t serial, label name, const T& value) {
    const char* text = boost::describe::enum_to_string(value, nullptr);
    if (text == nullptr) {
        doc.check_writable(serial, name);
        doc.misuse(errc::enumerator_without_name, name, "the enumeration has no enumerator of this value");
    }
    doc.whole_text(serial, name, text);
}

// A member's value is written by value_now; the object's key is a label.
template <class T, class Pick>
void write_members_now(document& doc, std::uint32_t serial, const T& value, Pick) {
    boost::mp11::mp_for_each<picked<T, Pick>>([&](auto descriptor) {
        using descriptor_type = decltype(descriptor);
        write_now(doc, serial, member_label<descriptor_type>, value.*descriptor_type::pointer);
    });
}

/// An object or array that is opened and closed within one call.
class brief_scope {
public:
    brief_scope(document& doc, std::uint32_t serial, label name, scope_record::kind what) : doc_(doc) {
        doc_.open_scope(scope_, what, serial, name, what == scope_record::kind::object ? '{' : '[');
    }
    brief_scope(const brief_scope&) = delete;
    brief_scope& operator=(const brief_scope&) = delete;
    ~brief_scope() { doc_.close_scope(scope_, scope_.what == scope_record::kind::object ? '}' : ']'); }
    std::uint32_t serial() const noexcept { return scope_.serial; }
    void count(std::uint32_t elements) noexcept { scope_.count = elements; }

private:
    document& doc_;
    scope_record scope_;
};

template <class T, class Pick>
[[gnu::always_inline]] inline void write_whole(document& doc, std::uint32_t serial, label name, const T& value,
                                               [[maybe_unused]] Pick pick) {
    constexpr value_kind kind = kind_of<T>;
    static_assert(check_value<T>());
    static_assert(kind != value_kind::generator, "sluice: an async_generator is awaited: it cannot be put");
    if constexpr (kind == value_kind::scalar) {
        if constexpr (encode::scalar<T>)
            put_scalar(doc, serial, name, value);
        else
            write_absent(doc, serial, name); // std::nullopt, std::monostate
    } else if constexpr (kind == value_kind::text) {
        if (is_null_text(value))
            write_absent(doc, serial, name);
        else if (const std::string_view text = text_of(value); !put_text(doc, serial, name, text))
            doc.whole_text(serial, name, text);
    } else if constexpr (kind == value_kind::character) {
        doc.whole_text(serial, name, {&value, 1});
    } else if constexpr (kind == value_kind::time_point || kind == value_kind::duration) {
        write_time(doc, serial, name, value);
    } else if constexpr (kind == value_kind::enumeration) {
        write_enumerator(doc, serial, name, value);
    } else if constexpr (kind == value_kind::optional) {
        if (value)
            write_now(doc, serial, name, *value, pick);
        else
            write_absent(doc, serial, name);
    } else if constexpr (kind == value_kind::variant) {
        std::visit([&](const auto& held) { write_now(doc, serial, name, held, pick); }, value);
    } else if constexpr (kind == value_kind::tuple) {
        brief_scope list(doc, serial, name, scope_record::kind::array);
        std::apply([&](const auto&... parts) { (write_now(doc, list.serial(), label(), parts), ...); }, value);
    } else if constexpr (kind == value_kind::structure) {
        brief_scope json(doc, serial, name, scope_record::kind::object);
        write_members_now(doc, json.serial(), value, pick);
    } else if constexpr (kind == value_kind::map) {
        brief_scope json(doc, serial, name, scope_record::kind::object);
        for (const auto& [held_name, held] : value)
            if (pick.takes(text_of(held_name)))
                write_now(doc, json.serial(), entry_label(text_of(held_name), entry_keys<Pick>), held);
    } else if constexpr (kind == value_kind::range) {
        brief_scope list(doc, serial, name, scope_record::kind::array);
        std::uint32_t count = 0;
        for (auto&& element : value) {
            write_now(doc, list.serial(), label(), static_cast<const range_value<const T>&>(element), pick);
            list.count(++count);
        }
    } else if constexpr (kind == value_kind::custom) {
        slot place = slot_access::make(doc, serial, name);
        using awaited = decltype(sluice_write(std::move(place), value));
        static_assert(std::same_as<awaited, written>,
                      "sluice: this type's sluice_write is to be awaited: it cannot be put");
        static_cast<void>(sluice_write(std::move(place), value));
    }
}

template <class T, class Pick>
void write_now(document& doc, std::uint32_t serial, label name, const T& value, Pick pick) {
    write_whole(doc, serial, name, value, pick);
}

} // namespace sluice::detail
