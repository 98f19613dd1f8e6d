#include <sluice/encode/escape.hpp>
#include <sluice/render/document.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sluice::detail {

namespace {

// The inline path keeps one byte for each open scope's closing, up to this depth; deeper openings are slow.
constexpr std::uint32_t inline_depth = 64;

// For errors of a scope itself, not of the value in it that would be next.
constexpr label the_scope = label::of_root();

// Calls `take(bytes, size)` with the text as it stands in a JSON string, piece by piece.
template <class Take>
void for_escaped(std::string_view text, bool html_safe, Take take) {
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from != end) {
        char piece[64];
        const auto step = encode::escape(from, end, piece, piece + sizeof piece, {html_safe}, true);
        take(piece, static_cast<std::size_t>(step.written - piece));
        from = step.read;
    }
}

// How much of a key a message shows.
constexpr std::size_t most_shown = 64;

// A run-time key as messages show it: escaped, so that no key writes lines or control characters of its own into a log,
// and cut.
std::string shown(std::string_view name) {
    std::string text;
    for_escaped(name.substr(0, most_shown), false,
                [&](const char* bytes, std::size_t size) { text.append(bytes, size); });
    return name.size() > most_shown ? text + "..." : text;
}

void append_name(std::string& path, std::string_view name) {
    const bool simple = !name.empty() && name.size() <= most_shown && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    if (simple)
        path.append(1, '.').append(name);
    else
        path.append("[\"").append(shown(name)).append("\"]");
}

} // namespace

// The keys of the open containers, the outermost first.
struct document::open_keys {
    std::vector<std::set<std::string, std::less<>>> of;
};

document::document(sink& to, const render_options& options)
    : output(to, options.output()),
      open_limit_(std::min(inline_depth, options.depth_limit())),
      policies_(options.keys() != nullptr ? *options.keys() : default_key_format(), options.json()),
      depth_limit_(options.depth_limit()),
      json_(options.json()),
      check_splices_(options.check_splices() || options.strict()),
      in_fragment_(false),
      open_keys_(options.strict() ? new open_keys{{{}}} : nullptr) {
    begin();
}

document::document(sink& to, const part_of& part)
    : output(to, part.buffering),
      policies_(part.whole.policies_),
      context_(part.whole.context_),
      depth_limit_(part.whole.depth_limit_ - std::min(part.whole.depth_, part.whole.depth_limit_)),
      outer_depth_(part.whole.depth_ + part.whole.outer_depth_),
      json_(part.captured ? json_options(part.whole.json_).indent(0) : part.whole.json_),
      check_splices_(part.whole.check_splices_),
      in_fragment_(part.captured || part.whole.in_fragment_),
      open_keys_(part.whole.open_keys_ != nullptr ? new open_keys{{{}}} : nullptr) {
    open_limit_ = std::min(inline_depth, depth_limit_);
    begin();
    if (!part.captured)
        commit();
}

document::~document() = default;

void document::begin() {
    root_.parent = nullptr;
    root_.name = label::of_root();
    root_.serial = 1;
    root_.count = 0;
    root_.exceptions = 0;
    root_.what = scope_record::kind::root;
    formatted_ = policies_.keys->table();
    use_policies();
}

void document::use_policies() noexcept {
    use_fast_path(open_keys_ == nullptr && !json_.html_safe() && json_.indent() == 0 &&
                      policies_.integers == integer_policy::number,
                  formatted_ != nullptr ? sizeof formatted_key::text : 0);
}

void document::set_policies(scope_record& scope, const policies& own) noexcept {
    scope.outside = policies_;
    scope.exceptions |= scope_record::own_policies;
    policies_ = own;
    formatted_ = own.keys->table();
    use_policies();
}

// ---- paths and misuse ------------------------------------------------------------------------------------------

std::string document::path_of(label name) const {
    if (failed())
        return error_path();
    // The chain from the root inwards: a scope's own label says which member or element of its parent it is.
    std::string path = "$";
    const scope_record* chain[64];
    std::size_t depth = 0;
    const scope_record* at = top_;
    for (; at != &root_ && depth < std::size(chain); at = at->parent)
        chain[depth++] = at;
    if (at != &root_)
        path += "...";
    for (std::size_t i = depth; i-- > 0;) {
        const scope_record& scope = *chain[i];
        if (scope.name.has_key()) {
            append_name(path, scope.name.text());
        } else if (scope.parent->what == scope_record::kind::array) {
            const std::uint32_t count = scope.parent->count;
            path += '[' + std::to_string(count == 0 ? 0 : count - 1) + ']';
        }
    }
    if (name.has_key())
        append_name(path, name.text());
    else if (name.kind() < key_kind::root && top_->what == scope_record::kind::array)
        path += '[' + std::to_string(top_->count) + ']';
    return path;
}

void document::misuse(errc code, label name, std::string detail) {
    fail(code, path_of(name), std::move(detail));
    throw_error();
}

void document::keep_misuse(errc code, label name, std::string detail) noexcept {
    if (!failed())
        fail(code, path_of(name), std::move(detail));
}

void document::no_context(const char* type) {
    // `type` is a function's signature, which ends with the name in the brackets behind "T = ".
    std::string_view name = type;
    if (const auto at = name.find("T = "); at != std::string_view::npos)
        name = name.substr(at + 4, name.size() - at - 5);
    misuse(errc::no_context, label(), "no context of type " + std::string(name) + ": see sluice::with_context");
}

void document::refuse_fragment(std::string_view why) {
    if (in_fragment_)
        misuse(errc::not_cacheable, label(), std::string(why));
}

void document::check_writable(std::uint32_t serial, label name) {
    if (failed())
        throw_error();
    if (serial == serial_)
        return;
    if (serial == 0)
        misuse(errc::slot_empty, label(), "the slot has been filled, or moved from");
    for (const scope_record* at = top_; at != nullptr; at = at->parent) {
        if (at->serial != serial)
            continue;
        if (serial == 1 && top_ == &root_ && held_for_ == nullptr)
            break;
        std::string detail = at == top_ ? held_for_ : "its parent was written while it is open";
        if (name.has_key())
            detail += " (member \"" + shown(name.text()) + "\")";
        fail(errc::parent_written_while_child_open, path_of(the_scope), std::move(detail));
        throw_error();
    }
    misuse(errc::scope_closed, name, "the container that is written has been closed");
}

// ---- values ----------------------------------------------------------------------------------------------------

void document::line_break(std::uint32_t depth) {
    append('\n');
    for (std::size_t spaces = (std::size_t{depth} + outer_depth_) * json_.indent(); spaces != 0; --spaces)
        append(' ');
}

// Calls `take(bytes, size)` with the key as it is written, without its quotes.
template <class Take>
void document::for_key_bytes(label name, Take take) const {
    if (name.kind() == key_kind::plain || (name.kind() == key_kind::html && !json_.html_safe()))
        take(name.data, name.size());
    else
        for_escaped(name.text(), json_.html_safe(), take);
}

// The key as the format in force spells it. A run-time one is kept until the next.
label document::formatted(label name) {
    if (name.is_literal()) {
        const std::string& text = *policies_.keys->find(name)->name;
        return label(text.data(), text.size(), key_kind::run_time);
    }
    policies_.keys->apply(name.text(), key_);
    return label(key_.data(), key_.size(), key_kind::run_time);
}

void document::begin_value(std::uint32_t serial, label name) {
    check_writable(serial, name);
    if (name.has_key() && name.kind() != key_kind::data && formatted_ != nullptr)
        name = formatted(name);
    if (name.is_run_time() && json_.invalid_utf8() == invalid_utf8_policy::error &&
        !encode::is_valid_utf8({name.data, name.size()}))
        misuse(errc::invalid_utf8, label(), "a key is not valid UTF-8");
    // Checked before anything is written: a key is written whole, and what it may take past the mark is bounded.
    if (name.has_key() && name.size() > max_key_size / encode::max_escape_growth) {
        std::size_t size = name.size();
        if (size <= max_key_size) {
            size = 0;
            for_key_bytes(name, [&](const char*, std::size_t more) { size += more; });
        }
        if (size > max_key_size)
            misuse(errc::key_too_long, label(),
                   "a key takes " + std::to_string(size) + " bytes; the limit is " + std::to_string(max_key_size));
    }
    if (name.has_key() && open_keys_ != nullptr)
        remember_key(name.text(), name);
    if (comma_ != 0)
        append(',');
    comma_ = 1;
    if (json_.indent() != 0 && top_ != &root_)
        line_break(depth_);
    if (!name.has_key())
        return;
    append('"');
    for_key_bytes(name, [this](const char* bytes, std::size_t size) { append(bytes, size); });
    append("\":", 2);
    if (json_.indent() != 0)
        append(' ');
}

void document::remember_key(std::string_view key, label name) {
    if (!open_keys_->of.back().emplace(key).second)
        misuse(errc::duplicate_key, name, "the key is there already");
}

void document::check_splice(std::uint32_t serial, label name, std::string_view bytes, encode::json_part part) {
    if (!check_splices_)
        return;
    check_writable(serial, name);
    std::vector<std::string> keys;
    const encode::key_listener listener{[](void* all, std::string_view escaped) {
                                            static_cast<std::vector<std::string>*>(all)->push_back(
                                                encode::unescape(escaped));
                                        },
                                        &keys};
    const bool wants_keys = open_keys_ != nullptr && part == encode::json_part::pairs;
    const encode::json_problem problem =
        encode::check_json(bytes, part, depth_limit_ - depth_, wants_keys ? &listener : nullptr);
    if (problem.what != nullptr)
        misuse(errc::invalid_splice, name,
               std::string("the spliced bytes are not JSON: ") + problem.what + ", at byte " +
                   std::to_string(problem.at));
    for (const std::string& key : keys)
        remember_key(key, label(key.data(), key.size(), key_kind::run_time));
}

void document::token(std::uint32_t serial, label name, std::string_view text) {
    begin_value(serial, name);
    append(text.data(), text.size());
}

const char* document::more_text(const char* from, const char* end, bool closing) {
    const encode::escape_mode mode{json_.html_safe()};
    while (from != end) {
        if (room() >= encode::escape_room && room_below_mark() >= encode::escape_room) {
            const auto step = encode::escape(from, end, cursor(), cursor() + room_below_mark(), mode, closing);
            advance_to(step.written);
            if (step.read == from && !closing)
                return from; // an incomplete character, to be carried
            from = step.read;
            continue;
        }
        if (!make_room())
            return from;
        if (room_below_mark() >= encode::escape_room)
            continue;
        // The chunk, or what the mark leaves of it, is too small to escape in place.
        char piece[16];
        const auto step = encode::escape(from, end, piece, piece + sizeof piece, mode, closing);
        if (step.read == from && !closing)
            return from;
        append(piece, static_cast<std::size_t>(step.written - piece));
        from = step.read;
    }
    if (closing)
        append('"');
    return nullptr;
}

const char* document::begin_text(std::uint32_t serial, label name, std::string_view text) {
    check_writable(serial, name);
    if (json_.invalid_utf8() == invalid_utf8_policy::error && !encode::is_valid_utf8(text))
        misuse(errc::invalid_utf8, name, "a string is not valid UTF-8");
    begin_value(serial, name);
    append('"');
    return more_text(text.data(), text.data() + text.size(), true);
}

bool document::put_escaped_text(std::uint32_t serial, label name, std::string_view text) {
    if (!name.fast() || json_.invalid_utf8() != invalid_utf8_policy::replace)
        return false;
    const std::size_t growth = text.size() * encode::max_escape_growth + encode::escape_room;
    char* to = fast(serial, name, growth + 2);
    if (to == nullptr)
        return false;
    *to++ = '"';
    const auto done = encode::escape(text.data(), text.data() + text.size(), to, end_ - 1, {}, true);
    *done.written = '"';
    fast_done(done.written + 1);
    return true;
}

void document::whole_text(std::uint32_t serial, label name, std::string_view text) {
    const char* from = begin_text(serial, name, text);
    const char* const end = text.data() + text.size();
    if (from == nullptr)
        return;
    while (from != end) {
        char piece[256];
        const auto step = encode::escape(from, end, piece, piece + sizeof piece, {json_.html_safe()}, true);
        append(piece, static_cast<std::size_t>(step.written - piece));
        from = step.read;
    }
    append('"');
}

const char* document::more_bytes(const char* from, const char* end) {
    while (from != end) {
        if (!open() && !make_room())
            return from;
        const std::size_t size = std::min(room_below_mark(), static_cast<std::size_t>(end - from));
        append(from, size);
        from += size;
    }
    return nullptr;
}

void document::put_scope::check() const {
    const std::uint64_t size = doc_.bytes_written() - start_;
    if (!doc_.failed() && size > doc_.overrun())
        doc_.fail(errc::put_too_large, doc_.current_path(),
                  "a put may write " + std::to_string(doc_.overrun()) + " bytes and wrote " + std::to_string(size));
    if (doc_.failed())
        doc_.throw_error();
}

// ---- scopes ----------------------------------------------------------------------------------------------------

std::size_t document::closing_size(std::uint32_t depth) const noexcept {
    return json_.indent() == 0 ? 1 : 2 + (std::size_t{depth} + outer_depth_) * json_.indent();
}

void document::open_slow(scope_record& scope, std::uint32_t parent, label name, char bracket) {
    check_writable(parent, name);
    if (depth_ >= depth_limit_ && bracket != '"')
        misuse(errc::too_deep, name, "the limit is " + std::to_string(outer_depth_ + depth_limit_) + " containers");
    // Kept for all closings at once, so that none of them can fail.
    std::size_t closings = 0;
    if (json_.indent() == 0)
        closings = depth_ + 1;
    else
        closings = (std::size_t{depth_} + 1) * closing_size(depth_);
    keep_for_closings(closings + 8);
    open_limit_ = std::min(depth_limit_, std::max(open_limit_, depth_ + 1));
    begin_value(parent, name);
    append(bracket);
    if (open_keys_ != nullptr)
        open_keys_->of.emplace_back();
    scope.name = name;
    if (name.is_run_time()) {
        // The key need not live as long as the scope.
        const std::size_t size = std::min<std::size_t>(name.size(), sizeof scope.copy);
        std::copy_n(name.data, size, scope.copy);
        scope.name = label(scope.copy, size, key_kind::run_time);
    }
}

void document::open_part(scope_record& scope, scope_record::kind what) {
    scope.name = the_scope;
    scope.what = what;
    scope.parent = top_;
    scope.count = 0;
    scope.exceptions = *exceptions_ | scope_record::no_brackets;
    scope.serial = serial_ = ++last_serial_;
    top_ = &scope;
    ++depth_;
    // The container is the whole's, and counted there.
    ++depth_limit_;
    open_limit_ = std::min(inline_depth, depth_limit_);
    --outer_depth_;
}

void document::begin_part() {
    check_writable(serial_, label());
    if (comma_ != 0)
        append(',');
    comma_ = 1;
}

void document::end_part(document& part, bool anything) {
    if (anything)
        ++top_->count;
    if (open_keys_ == nullptr)
        return;
    for (const std::string& key : part.open_keys_->of.front())
        remember_key(key, label(key.data(), key.size(), key_kind::run_time));
}

void document::close_slow(scope_record& scope, char bracket) noexcept {
    const bool own_policies = (scope.exceptions & scope_record::own_policies) != 0;
    const bool no_brackets = (scope.exceptions & scope_record::no_brackets) != 0;
    scope.exceptions &= ~(scope_record::own_policies | scope_record::no_brackets);
    if (!failed()) {
        if (scope.exceptions != *exceptions_)
            keep_misuse(errc::exception_in_scope, the_scope, "an exception passed it while it was open");
        else if (scope.serial != serial_)
            keep_misuse(errc::parent_written_while_child_open, the_scope, "its parent was closed while it is open");
    }
    if (failed()) {
        // Scopes may end in any order from now on: none of them is referred to any more.
        top_ = &root_;
        serial_ = no_serial;
        return;
    }
    if (no_brackets) {
        pop(scope);
        return;
    }
    if (open_keys_ != nullptr)
        open_keys_->of.pop_back();
    if (json_.indent() != 0 && comma_ != 0 && scope.what != scope_record::kind::text) {
        append_closing("\n", 1);
        for (std::size_t spaces = (std::size_t{depth_} + outer_depth_ - 1) * json_.indent(); spaces != 0; --spaces)
            append_closing(" ", 1);
    }
    append_closing(&bracket, 1);
    pop(scope);
    if (own_policies) {
        policies_ = scope.outside;
        formatted_ = policies_.keys->table();
        use_policies();
    }
}

} // namespace sluice::detail
