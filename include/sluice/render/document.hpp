// The document: an output with the state of its structure, which scopes are open and whether a comma is due.
//
// Compact JSON takes an inline path that compares once: is there room, and is the scope that is written the innermost
// one? Everything else (a full chunk, misuse, failure, pretty or HTML-safe output) takes the slow path.
#pragma once

#include <sluice/encode/json_check.hpp>
#include <sluice/encode/json_options.hpp>
#include <sluice/gcc12.hpp>
#include <sluice/output/output.hpp>
#include <sluice/render/key.hpp>
#include <sluice/render/key_format.hpp>
#include <sluice/render/policies.hpp>
#include <sluice/render/render_options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace sluice::detail {

/// An open container. Lives in the object or array that opened it, linked to the one around it.
struct scope_record {
    enum class kind : std::uint8_t { root, object, array, text };

    scope_record* parent;
    label name;           // of the value that it is
    std::uint32_t serial; // never the same for two scopes of a document; 0 is no scope
    std::uint32_t count;  // values begun in it
    unsigned exceptions;  // in flight when it was opened; with own_policies, which no such number has: it closes slowly
    kind what;
    char copy[11];    // of the beginning of a run-time name, for paths
    policies outside; // in force around it, where it has policies of its own

    static constexpr unsigned own_policies = 0x8000'0000;
    static constexpr unsigned no_brackets = 0x4000'0000; // likewise: of a part that is rendered by itself

    // Every member is written when the scope is opened; nothing before.
    scope_record() noexcept {}
    scope_record(const scope_record&) = delete;
    scope_record& operator=(const scope_record&) = delete;
};

/// An object that templates reach by its type.
struct context_entry {
    const char* type; // &type_tag<T>
    void* object;
    bool is_const;
    const context_entry* next;
};

/// Its address stands for T.
template <class T>
inline constexpr char type_tag = 0;

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
    document(sink& to, const render_options& options);
    /// A part of another document, which outlives it, rendered by itself, with what is in force there.
    /// `captured`: its bytes may be kept, and be written again elsewhere; they are compact.
    struct part_of {
        const document& whole;
        bool captured;
        output_options buffering;
    };
    document(sink& to, const part_of& part);
    ~document() override;

    const json_options& json() const noexcept { return json_; }
    /// In force in the innermost scope.
    const policies& in_force() const noexcept { return policies_; }
    std::uint32_t serial() const noexcept { return serial_; }

    /// The objects that templates reach, the innermost first.
    const context_entry* context() const noexcept { return context_; }
    void set_context(const context_entry* first) noexcept { context_ = first; }
    /// Null where there is none.
    template <class T>
    T* find_context() const noexcept {
        for (const context_entry* at = context_; at != nullptr; at = at->next)
            if (at->type == &type_tag<std::remove_cv_t<T>> && (std::is_const_v<T> || !at->is_const))
                return static_cast<T*>(at->object);
        return nullptr;
    }
    template <class T>
    T& get_context() {
        if (T* found = find_context<T>())
            return *found;
        no_context(signature_of<T>());
    }

    /// True in what is captured.
    bool in_fragment() const noexcept { return in_fragment_; }
    void refuse_fragment(std::string_view why);

    // ---- the inline path -------------------------------------------------------------------------------------------

    /// Begins a value of the scope `serial` that takes `size` bytes at most: writes comma, if due, and label, and
    /// returns where the value goes; or null where the slow path must be taken. Nothing counts as written before
    /// fast_done.
    [[gnu::always_inline]] char* fast(std::uint32_t serial, label name, std::size_t size) noexcept {
        const std::ptrdiff_t left = reinterpret_cast<std::intptr_t>(fast_end_) - reinterpret_cast<std::intptr_t>(cur_) -
                                    static_cast<std::ptrdiff_t>(name.room() + size);
        // Negative when bytes are lacking, or when another scope is the innermost: one branch for both.
        if ((left | -static_cast<std::ptrdiff_t>(serial ^ serial_)) < 0) [[unlikely]]
            return nullptr;
        char* to = cur_;
        if (to == nullptr)
            __builtin_unreachable();
        *to = ',';
        to += comma_;
        if (name.has_key() && formatted_ != nullptr) [[unlikely]]
            return put_formatted(to, name);
        return put_label(to, name);
    }
    [[gnu::always_inline]] void fast_done(char* to) noexcept {
        comma_ = 1;
        cur_ = to;
    }

    [[gnu::always_inline]] void open_scope(scope_record& scope, scope_record::kind what, std::uint32_t parent,
                                           label name, char bracket) {
        char* const to = name.fast() && depth_ < open_limit_ ? fast(parent, name, 1) : nullptr;
        if (to != nullptr) [[likely]] {
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

    /// Of the innermost container.
    bool in_array() const noexcept { return top_->what == scope_record::kind::array; }
    /// Begins the bytes of a part in the innermost container; what stands before its first value in there, a line
    /// break, the part has written itself.
    void begin_part();
    /// A part has ended, all of it written here; `anything`: it is not empty.
    void end_part(document& part, bool anything);

    /// Opens a container without its brackets: pairs or elements that are rendered by themselves.
    void open_part(scope_record& scope, scope_record::kind what);

    /// Gives the scope that has just been opened policies of its own, until it is closed.
    void set_policies(scope_record& scope, const policies& own) noexcept;

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
    /// Fails the render where checked bytes are not what they are spliced as.
    void check_splice(std::uint32_t serial, label name, std::string_view bytes, encode::json_part part);
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

    /// Between the parts of a long value nothing else may be written, not even to the innermost scope; nor while
    /// something is captured, which what is written here would miss.
    void hold(const char* why = "it was written while a long value in it is") noexcept {
        held_for_ = why;
        held_serial_ = serial_;
        serial_ = no_serial;
    }
    void release() noexcept {
        held_for_ = nullptr;
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
    [[noreturn]] void no_context(const char* type);
    void begin();

    static constexpr std::uint32_t no_serial = 0xffff'ffff;

    void pop(scope_record& scope) noexcept {
        comma_ = 1;
        --depth_;
        top_ = scope.parent;
        serial_ = scope.parent->serial;
    }
    // A literal as the format in force spells it, where it is short and has been formatted before; else null, and the
    // slow path finds it.
    [[gnu::always_inline]] char* put_formatted(char* to, label name) const noexcept {
        const formatted_key& entry = formatted_[formatted_key::slot_of(name)];
        if (__atomic_load_n(&entry.id, __ATOMIC_ACQUIRE) != formatted_key::id_of(name)) [[unlikely]]
            return nullptr;
        std::memcpy(to, entry.text, sizeof entry.text); // for which the window's end leaves room
        return to + entry.size;
    }
    void use_policies() noexcept;
    void open_slow(scope_record& scope, std::uint32_t parent, label name, char bracket);
    void close_slow(scope_record& scope, char bracket) noexcept;
    void line_break(std::uint32_t depth);
    void remember_key(std::string_view key, label name);
    template <class Take>
    void for_key_bytes(label name, Take take) const;
    label formatted(label name);
    std::size_t closing_size(std::uint32_t depth) const noexcept;

    std::uint32_t serial_ = 1; // of the innermost scope
    std::uint32_t last_serial_ = 1;
    std::uint32_t held_serial_ = 0;
    std::uint32_t depth_ = 0;
    std::uint32_t open_limit_; // the depth below which an opening has room kept for its closing
    std::uint8_t comma_ = 0;   // one comma is due before the next value
    bool in_put_ = false;
    const formatted_key* formatted_ = nullptr; // literals in the format in force; null: keys are as written
    policies policies_;
    const context_entry* context_ = nullptr;
    std::uint32_t depth_limit_;
    std::uint32_t outer_depth_ = 0; // of a part: containers that are open around it
    scope_record* top_ = &root_;
    const json_options json_;
    scope_record root_;
    std::string key_; // a run-time key, formatted
    const char* held_for_ = nullptr;
    const bool check_splices_;
    const bool in_fragment_;
    struct open_keys;
    const std::unique_ptr<open_keys> open_keys_; // of all open objects, in a strict render
};

} // namespace sluice::detail
