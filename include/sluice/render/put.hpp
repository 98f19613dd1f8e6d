// What put hands to its callable: plain writes, nothing awaited.
#pragma once

#include <sluice/render/document.hpp>
#include <sluice/render/key.hpp>
#include <sluice/render/only.hpp>
#include <sluice/render/write_now.hpp>

#include <cstdint>

namespace sluice::detail {

/// What object::put hands to its callable.
class members_now {
public:
    members_now(document& doc, std::uint32_t serial) noexcept : doc_(doc), serial_(serial) {}
    members_now(const members_now&) = delete;
    members_now& operator=(const members_now&) = delete;

    template <class T>
    [[gnu::always_inline]] void operator()(key name, const T& value) {
        write_whole(doc_, serial_, label(name), value, all_members());
    }
    template <class T, class Pick>
    void operator()(key name, const T& value, Pick pick) {
        write_now(doc_, serial_, label(name), value, pick);
    }
    template <class T>
    void operator()(key name, const T& value, absent_policy absent) {
        static_assert(can_be_absent<T>());
        if (is_absent(value))
            write_absent(doc_, serial_, label(name), absent);
        else
            write_now(doc_, serial_, label(name), value);
    }
    template <class T, class Pick = all_members>
    void merge(const T& value, Pick pick = {}) {
        static_assert(kind_of<T> == value_kind::structure || kind_of<T> == value_kind::map, SLUICE_MERGED_INTO_OBJECT);
        if constexpr (kind_of<T> == value_kind::structure) {
            write_members_now(doc_, serial_, value, pick);
        } else if constexpr (kind_of<T> == value_kind::map) {
            for (const auto& [name, held] : value)
                if (pick.takes(text_of(name)))
                    write_now(doc_, serial_, entry_label(text_of(name), key_kind::run_time), held);
        }
    }

private:
    document& doc_;
    std::uint32_t serial_;
};

/// What array::put hands to its callable.
class elements_now {
public:
    elements_now(document& doc, scope_record& scope) noexcept : doc_(doc), scope_(scope) {}
    elements_now(const elements_now&) = delete;
    elements_now& operator=(const elements_now&) = delete;

    template <class T>
    void operator()(const T& value) {
        const std::uint32_t index = scope_.count;
        write_now(doc_, scope_.serial, label(), value);
        scope_.count = index + 1;
    }
    template <class T, class Pick>
    void operator()(const T& value, Pick pick) {
        const std::uint32_t index = scope_.count;
        write_now(doc_, scope_.serial, label(), value, pick);
        scope_.count = index + 1;
    }

private:
    document& doc_;
    scope_record& scope_;
};

} // namespace sluice::detail
