// The document: an output with the state of its structure, which scopes are open and whether a comma is due.
//
// Compact JSON takes an inline path that compares once: is there room, and is the scope that is written the innermost
// one? Everything else (a full chunk, misuse, failure, pretty or HTML-safe output) takes the slow path.
#pragma once

#include <sluice/encode/json_options.hpp>
#include <sluice/output/output.hpp>
#include <sluice/render/key.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::detail {

/// An open container. Lives in the object or array that opened it, linked to the one around it.
struct scope_record {
    enum class kind : std::uint8_t { root, object, array, text };

    scope_record* parent;
    label name;           // of the value that it is
    std::uint32_t serial; // never the same for two scopes of a document; 0 is no scope
    std::uint32_t count;  // values begun in it
    unsigned exceptions;  // in flight when it was opened
    kind what;
    char copy[11]; // of the beginning of a run-time name, for paths

    // Every member is written when the scope is opened; nothing before.
    scope_record() noexcept {}
    scope_record(const scope_record&) = delete;
    scope_record& operator=(const scope_record&) = delete;
};

/// Counts an element of an array at hand, when it has been begun: at the end of the block.
class element_begun {
public:
    [[gnu::always_inline]] explicit element_begun(scope_record& list) noexcept : list_(list) {}
    element_begun(const element_begun&) = delete;
    element_begun& operator=(const element_begun&) = delete;
    [[gnu::always_inline]] ~element_begun() { ++list_.count; }

private:
    scope_record& list_;
};

/// What one synchronous write may take at most, so that it may always be written whole after an open gate. What opens
/// round it, which waits for nothing, finds room past the mark too.
inline constexpr std::size_t whole_limit = output::least_overrun / 4 * 3;

/// Bytes that a key may take as it is written.
inline constexpr std::size_t max_key_size = output::least_overrun / 2;

class document final : public output {
public:
    document(sink& to, const output_options& how, const json_options& json, std::uint32_t depth_limit);

    const json_options& json() const noexcept { return json_; }
    std::uint32_t serial() const noexcept { return serial_; }

    // ---- the inline path -------------------------------------------------------------------------------------------

    /// Where to write `size` bytes of a value of the scope `serial`, or null where the slow path must be taken.
    [[gnu::always_inline]] char* fast(std::uint32_t serial, std::size_t size) noexcept {
        const std::ptrdiff_t left = reinterpret_cast<std::intptr_t>(fast_end_) - reinterpret_cast<std::intptr_t>(cur_) -
                                    static_cast<std::ptrdiff_t>(size);
        // Negative when bytes are lacking, or when another scope is the innermost: one branch for both.
        if ((left | -static_cast<std::ptrdiff_t>(serial ^ serial_)) < 0) [[unlikely]]
            return nullptr;
        char* const to = cur_;
        if (to == nullptr)
            __builtin_unreachable();
        return to;
    }
    /// Comma, if due, and label.
    [[gnu::always_inline]] char* fast_label(char* to, label what) noexcept {
        *to = ',';
        return put_label(to + comma_, what);
    }
    [[gnu::always_inline]] void fast_done(char* to) noexcept {
        comma_ = 1;
        cur_ = to;
    }

    [[gnu::always_inline]] void open_scope(scope_record& scope, scope_record::kind what, std::uint32_t parent,
                                           label name, char bracket) {
        char* to = fast(parent, name.room() + 1);
        if (to != nullptr && name.fast() && depth_ < open_limit_) [[likely]] {
            to = fast_label(to, name);
            *to = bracket;
            cur_ = to + 1;
            scope.name = name;
        } else {
            open_slow(scope, parent, name, bracket);
        }
        comma_ = 0;
        ++depth_;
        ++top_->count;
        scope.what = what;
        scope.parent = top_;
        scope.count = 0;
        scope.exceptions = *exceptions_;
        scope.serial = serial_ = ++last_serial_;
        top_ = &scope;
    }

    [[gnu::always_inline]] void close_scope(scope_record& scope, char bracket) noexcept {
        if (((scope.serial ^ serial_) | (scope.exceptions ^ *exceptions_)) == 0 && cur_ < fast_end_) [[likely]] {
            *cur_++ = bracket;
            pop(scope);
        } else {
            close_slow(scope, bracket);
        }
    }

    /// Counts one value of the scope `serial`, for paths, when it has been begun: at the end of the block. An error
    /// before it names the value's own index.
    class count_one {
    public:
        count_one(document& doc, std::uint32_t serial) noexcept
            : scope_(serial == doc.serial_ ? doc.top_ : nullptr), index_(doc.top_->count) {}
        count_one(const count_one&) = delete;
        count_one& operator=(const count_one&) = delete;
        ~count_one() {
            if (scope_ != nullptr)
                scope_->count = index_ + 1;
        }

    private:
        scope_record* scope_;
        std::uint32_t index_;
    };

    // ---- the slow path ---------------------------------------------------------------------------------------------

    /// Checks that the scope may be written, and writes comma, white space and label. Throws misuse and failure.
    void begin_value(std::uint32_t serial, label name);
    /// Throws what is wrong with writing to the scope now, if anything is.
    void check_writable(std::uint32_t serial, label name);
    /// A whole short token (a number, a literal).
    void token(std::uint32_t serial, label name, std::string_view text);
    /// A string: all of it, or as much as fits below the mark; returns where to go on, or null when it is whole.
    const char* begin_text(std::uint32_t serial, label name, std::string_view text);
    /// A string in one go where it fits for certain whatever its escapes; else writes nothing and returns false.
    bool put_escaped_text(std::uint32_t serial, label name, std::string_view text);
    /// Goes on; returns null when the string is whole. `closing`: end the string after it, else it goes on later.
    const char* more_text(const char* from, const char* end, bool closing);
    /// A string, whole, whatever it takes.
    void whole_text(std::uint32_t serial, label name, std::string_view text);
    /// Ready bytes below the mark; returns where to go on, or null.
    const char* more_bytes(const char* from, const char* end);

    /// Fails the render with misuse at `name` in the innermost scope, and throws it.
    [[noreturn]] void misuse(errc code, label name, std::string detail);
    /// Fails the render without throwing: for destructors.
    void keep_misuse(errc code, label name, std::string detail) noexcept;

    std::string path_of(label name) const;

    /// Brackets a call of put, which may write `overrun()` bytes and no more.
    class put_scope {
    public:
        explicit put_scope(document& doc) noexcept : doc_(doc), start_(doc.bytes_written()) { doc_.in_put_ = true; }
        put_scope(const put_scope&) = delete;
        put_scope& operator=(const put_scope&) = delete;
        ~put_scope() { doc_.in_put_ = false; }
        /// Throws put_too_large, or the failure of a write.
        void check() const;

    private:
        document& doc_;
        std::uint64_t start_;
    };

    /// True once the root has been begun.
    bool root_begun() const noexcept { return last_serial_ > 1 || comma_ != 0; }
    /// True while no container is open.
    bool all_closed() const noexcept { return depth_ == 0; }

    /// Between the parts of a long value nothing else may be written, not even to the innermost scope.
    void hold() noexcept {
        held_serial_ = serial_;
        serial_ = no_serial;
    }
    void release() noexcept {
        if (!failed())
            serial_ = held_serial_;
    }

protected:
    std::string current_path() const override { return path_of(label()); }
    errc overrun_code() const noexcept override { return in_put_ ? errc::put_too_large : errc::write_not_awaited; }
    // Of a container the bracket that closes it; of a string or a number, which may be whole before its end, all.
    std::size_t sealing() const noexcept override {
        if (depth_ != 0 || comma_ == 0 || serial_ != root_.serial)
            return 0;
        return last_serial_ > 1 ? 1 : static_cast<std::size_t>(-1);
    }

private:
    static constexpr std::uint32_t no_serial = 0xffff'ffff;

    void pop(scope_record& scope) noexcept {
        comma_ = 1;
        --depth_;
        top_ = scope.parent;
        serial_ = scope.parent->serial;
    }
    void open_slow(scope_record& scope, std::uint32_t parent, label name, char bracket);
    void close_slow(scope_record& scope, char bracket) noexcept;
    void line_break(std::uint32_t depth);
    template <class Take>
    void for_key_bytes(label name, Take take) const;
    std::size_t closing_size(std::uint32_t depth) const noexcept;

    std::uint32_t serial_ = 1; // of the innermost scope
    std::uint32_t last_serial_ = 1;
    std::uint32_t held_serial_ = 0;
    std::uint32_t depth_ = 0;
    std::uint32_t open_limit_; // the depth below which an opening has room kept for its closing
    std::uint8_t comma_ = 0;   // one comma is due before the next value
    bool in_put_ = false;
    const std::uint32_t depth_limit_;
    scope_record* top_ = &root_;
    const json_options json_;
    scope_record root_;
};

} // namespace sluice::detail
