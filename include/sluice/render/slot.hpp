// slot: a place in the document where exactly one value goes.
#pragma once

#include <sluice/render/document.hpp>
#include <sluice/render/only.hpp>
#include <sluice/render/text_written.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Of static_asserts on what a callable of the user returns.
#define SLUICE_NOTHING_TO_AWAIT                                                                                        \
    "sluice: what is given a slot returns what is to be awaited, a task or the write itself: is a return missing?"

namespace sluice {

class object;
class array;
class string_writer;

/// Where an element stands in the range that each goes through.
class position {
public:
    constexpr position(std::size_t index, bool is_last) noexcept : index_(index), is_last_(is_last) {}
    /// From 0. Elements that skip themselves count.
    constexpr std::size_t index() const noexcept { return index_; }
    constexpr bool is_first() const noexcept { return index_ == 0; }
    constexpr bool is_last() const noexcept { return is_last_; }

private:
    std::size_t index_;
    bool is_last_;
};

/// How many children of a container may be rendered side by side, for slot::each.
class concurrent {
public:
    /// Throws std::invalid_argument for 0.
    explicit concurrent(std::size_t at_once);
    std::size_t at_once() const noexcept { return at_once_; }

private:
    std::size_t at_once_;
};

namespace detail {
struct slot_access;
struct part_access;
/// Says of a constructor that a container without brackets is opened, see part.hpp.
struct open_part {};
} // namespace detail

/// Move-only. It carries its key, and writes comma and key with its value, never before: it may wait while other
/// members are written. It is empty once it has been filled or moved from; filling an empty one is the error
/// slot_empty. A member's slot that is dropped unfilled is the error member_without_value; an element's is a skipped
/// element. It must not outlive the render.
class [[nodiscard("a slot is filled once")]] slot {
public:
    [[gnu::always_inline]] slot(slot&& other) noexcept
        : doc_(one_word(other.doc_)),
          name_(one_word(other.name_.data), one_word(other.name_.meta)),
          serial_(std::exchange(other.serial_, 0)) {
        other.name_.meta = 0;
    }
    slot& operator=(slot&&) = delete;
    [[gnu::always_inline]] ~slot() {
        if (serial_ != 0 || name_.kind() == detail::key_kind::owned) [[unlikely]]
            drop();
    }

    /// Writes a value. Scalars and short strings are written at once; a long string as far as it fits; anything that
    /// may wait (a range, a map, a described struct, a type with sluice_write) is a task and writes nothing before it
    /// is awaited. An lvalue is referred to until the await ends; a temporary is kept.
    template <class T>
    auto operator()(T&& value);
    /// Writes a described struct, a map, or a range of these, with the chosen members.
    template <class T, class Pick>
    auto operator()(T&& value, Pick pick);
    /// Writes a value that may be absent (an optional, a const char*), and says what is written where it is.
    template <class T>
    auto operator()(T&& value, absent_policy absent);

    detail::written null();

    /// Opens an object, or an array: the opening is written now, the closing by the destructor.
    sluice::object object();
    sluice::array array();
    /// The same with policies of its own: a key_format, an absent_policy, an integer_policy, in any order. They hold
    /// for all that is in the container, and end with it.
    template <class... Policy>
        requires(sizeof...(Policy) != 0 && (scope_policy<std::remove_cvref_t<Policy>> && ...))
    sluice::object object(Policy&&... policy);
    template <class... Policy>
        requires(sizeof...(Policy) != 0 && (scope_policy<std::remove_cvref_t<Policy>> && ...))
    sluice::array array(Policy&&... policy);
    /// Opens a string that is written in pieces.
    string_writer string();

    /// An array of what `write(slot, element)` writes for each element of a range or of an async_generator; `write`
    /// returns what is to be awaited. Elements are taken one at a time, each when the one before it is through. An
    /// element whose slot is not filled is skipped. A range that is an lvalue must outlive the task; `write` is kept.
    /// `write(slot, element, position)` is told where the element stands too, of a range that can be read again.
    template <class Range, class Write>
    auto each(Range&& range, Write&& write);
    /// The same with the writes of up to n elements running side by side, each awaiting what it needs; the output is in
    /// order all the same. An element that is not the first unwritten one waits when it has a small chunk or two (4
    /// KiB) of its own. The first failure, in time, asks the others to stop; when all have ended it is thrown. What
    /// `write` refers to must be safe to share between elements; the document itself is not written meanwhile. Elements
    /// of a generator are moved into their child, those of a range that is read once copied. Errors name an element by
    /// its index in the range. Needs a scheduler (no_scheduler).
    template <class Range, class Write>
    auto each(Range&& range, Write&& write, concurrent how);

    /// Splices ready JSON as the value. Checked where render_options::check_splices says so, and else taken as it is;
    /// but an empty value is always the error invalid_splice. What its keys are called is not touched. Shared bytes
    /// are referred to when they are large, and copied when small.
    detail::written splice(shared_bytes json);
    detail::text_written splice(std::string_view json);
    template <class String>
        requires std::same_as<String, std::string>
    detail::owned_text_written splice(String&& json) {
        return splice_owned(static_cast<String&&>(json));
    }

    /// Renders a value as if it were written here, `write(slot)`, into a string (task<std::string>), and writes
    /// nothing; the slot stays unfilled. For a part whose bytes are needed themselves: to keep, to measure, to splice
    /// later. The document is not written meanwhile. What `write` throws comes out of the await.
    template <class Write>
    auto capture(Write&& write) const;
    /// True in what is captured, or rendered to be cached.
    bool in_fragment() const noexcept { return doc_->in_fragment(); }
    /// Fails the render (errc::not_cacheable) in what is captured or cached: for a template whose bytes are good for
    /// one viewer only.
    void not_cacheable(std::string_view why) const { doc_->refuse_fragment(why); }

    /// The object of type T (const T, where it was given as const) that with_context has given to the render. Without
    /// one: the error no_context.
    template <class T>
    T& context() const {
        return doc_->get_context<T>();
    }
    /// The same, or null.
    template <class T>
    T* find_context() const noexcept {
        return doc_->find_context<T>();
    }

private:
    friend struct detail::slot_access;

    slot(detail::document& doc, std::uint32_t serial, detail::label name) noexcept
        : doc_(&doc), name_(name), serial_(serial) {}

    // Loads a word by itself. A vector load of several that have just been stored one by one would wait for all of them
    // to reach the cache, at every coroutine that takes a slot.
    template <class Word>
    [[gnu::always_inline]] static Word one_word(Word loaded) noexcept {
        asm("" : "+r"(loaded));
        return loaded;
    }
    void drop() noexcept;
    detail::owned_text_written splice_owned(std::string&& json);

    detail::document* doc_;
    detail::label name_;
    std::uint32_t serial_; // of the scope it belongs to; 0 when empty
};

namespace detail {

/// Fails the render (not_at_root) where the slot is a part of the document.
void check_is_root(const slot& place);

/// The inside of a slot, for the rest of the layer.
struct slot_access {
    static slot root(document& doc) noexcept { return slot(doc, doc.serial(), label::of_root()); }
    static slot make(document& doc, std::uint32_t serial, label name) noexcept { return slot(doc, serial, name); }
    static document& doc(const slot& place) noexcept { return *place.doc_; }
    static label name(const slot& place) noexcept { return place.name_; }
    /// The write of a listed value has begun: what fills the slot may leave it, as any element.
    static void begin(slot& place) noexcept {
        if (place.name_.kind() == key_kind::listed)
            place.name_ = label();
    }
    /// The slot's scope; the slot is filled from now on.
    static std::uint32_t fill(slot& place) noexcept { return std::exchange(place.serial_, 0); }
};

} // namespace detail

} // namespace sluice
