#include <sluice/render/key_format.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <forward_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace sluice {

namespace {

// ASCII only, whatever the locale.
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr char to_upper(char c) {
    return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char to_lower(char c) {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

void upper(std::string_view key, std::string& to) {
    for (const char c : key)
        to += to_upper(c);
}

void lower(std::string_view key, std::string& to) {
    for (const char c : key)
        to += to_lower(c);
}

// The words behind the first: `_` and letters and digits behind it, which are capitalized.
void capitalize_words(std::string_view rest, std::string& to, bool slashes) {
    for (std::size_t i = 0; i < rest.size();) {
        if (slashes && rest[i] == '/') {
            to += "::";
        } else if (rest[i] != '_') {
            to += rest[i++];
            continue;
        }
        bool first = true;
        for (++i; i < rest.size() && (is_upper(rest[i]) || is_lower(rest[i]) || is_digit(rest[i])); ++i, first = false)
            to += first ? to_upper(rest[i]) : to_lower(rest[i]);
    }
}

// ActiveSupport 6.1, String#camelize(:lower) without acronyms: the first character is lower-cased, then each `_` or `/`
// with the letters and digits behind it is replaced.
void camel_rails(std::string_view key, std::string& to) {
    std::string changed(key);
    if (!changed.empty())
        changed[0] = to_lower(changed[0]);
    capitalize_words(changed, to, true);
}

void camel_words(std::string_view key, std::string& to, bool upper_first) {
    const std::size_t begin = key.find_first_not_of('_');
    if (begin == std::string_view::npos) {
        to += key;
        return;
    }
    const std::size_t end = key.find_last_not_of('_') + 1;
    to += key.substr(0, begin);
    const std::string_view words = key.substr(begin, end - begin);
    const std::string_view first = words.substr(0, words.find('_'));
    // An acronym in front is one word, up to the capital that begins the next: URLId is url and Id.
    std::size_t capitals = 0;
    while (capitals < first.size() && is_upper(first[capitals]))
        ++capitals;
    if (capitals > 1 && capitals < first.size() && is_lower(first[capitals]))
        --capitals;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (i == 0 && upper_first)
            to += to_upper(first[i]);
        else
            to += i < capitals ? to_lower(first[i]) : first[i];
    }
    capitalize_words(words.substr(first.size()), to, false);
    to += key.substr(end);
}

void camel(std::string_view key, std::string& to) {
    camel_words(key, to, false);
}

void upper_camel(std::string_view key, std::string& to) {
    camel_words(key, to, true);
}

void separate(std::string_view key, std::string& to, char separator) {
    for (std::size_t i = 0; i < key.size(); ++i) {
        const char c = key[i];
        if (c == '_' || c == '-') {
            to += separator;
            continue;
        }
        if (i != 0 && is_upper(c)) {
            const char before = key[i - 1];
            const bool begins_word = i + 1 < key.size() && is_lower(key[i + 1]);
            if (is_lower(before) || is_digit(before) || (is_upper(before) && begins_word))
                to += separator;
        }
        to += to_lower(c);
    }
}

void snake(std::string_view key, std::string& to) {
    separate(key, to, '_');
}

void kebab(std::string_view key, std::string& to) {
    separate(key, to, '-');
}

std::atomic<const key_format*> process_default{nullptr};

} // namespace

struct key_format::built_in {
    const char* name;
    void (*apply)(std::string_view key, std::string& to); // null: changes nothing

    // Made when it is first asked for, so that a format is ready also for what runs before main; never destroyed.
    static const key_format& make(const built_in& what) { return *new key_format(what); }
};

struct key_format::literals {
    detail::formatted_key table[detail::formatted_key::slots] = {};
    std::mutex making;
    std::forward_list<std::string> names;
    // Of literals that found no place near their own.
    std::forward_list<detail::formatted_key> others;
};

key_format::key_format(const built_in& what)
    : name_(new std::string(what.name)),
      rule_(&what),
      apply_([](const void* rule, std::string_view key, std::string& formatted) {
          formatted.clear();
          static_cast<const built_in*>(rule)->apply(key, formatted);
      }),
      destroy_([](const void*) {}),
      bounded_(true) {
    if (what.apply == nullptr)
        apply_ = nullptr;
}

key_format::~key_format() {
    delete literals_;
    destroy_(rule_);
    delete name_;
}

std::string key_format::operator()(std::string_view key) const {
    if (apply_ == nullptr)
        return std::string(key);
    std::string formatted;
    apply(key, formatted);
    return formatted;
}

detail::formatted_key* key_format::table() const {
    if (apply_ == nullptr)
        return nullptr;
    literals* made = __atomic_load_n(&literals_, __ATOMIC_ACQUIRE);
    if (made == nullptr) {
        auto* const fresh = new literals;
        if (__atomic_compare_exchange_n(&literals_, &made, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            made = fresh;
        else
            delete fresh;
    }
    return made->table;
}

const detail::formatted_key* key_format::find(detail::label literal) const {
    using detail::formatted_key;
    constexpr std::size_t near = 16;
    formatted_key* const all = table();
    const std::uintptr_t id = formatted_key::id_of(literal);
    const std::size_t first = formatted_key::slot_of(literal);
    const auto look = [&]() -> formatted_key* {
        for (std::size_t i = 0; i < near; ++i) {
            formatted_key& entry = all[(first + i) % formatted_key::slots];
            const std::uintptr_t held = __atomic_load_n(&entry.id, __ATOMIC_ACQUIRE);
            if (held == id || held == formatted_key::without_text(id))
                return &entry;
            if (held == 0)
                return nullptr;
        }
        return nullptr;
    };
    if (const formatted_key* entry = look())
        return entry;

    literals& made = *__atomic_load_n(&literals_, __ATOMIC_ACQUIRE);
    const std::lock_guard lock(made.making);
    if (const formatted_key* entry = look())
        return entry;
    for (const formatted_key& entry : made.others)
        if (entry.id == id || entry.id == formatted_key::without_text(id))
            return &entry;
    std::string formatted;
    apply(literal.text(), formatted);
    made.names.push_front(std::move(formatted));

    formatted_key fresh{};
    fresh.id = formatted_key::without_text(id);
    fresh.name = &made.names.front();
    char escaped[sizeof fresh.text];
    const char* const begin = fresh.name->data();
    const auto step = encode::escape(begin, begin + fresh.name->size(), escaped, escaped + sizeof escaped, {}, true);
    const auto size = static_cast<std::size_t>(step.written - escaped);
    if (step.read == begin + fresh.name->size() && size + 3 <= sizeof fresh.text &&
        encode::is_valid_utf8(*fresh.name)) {
        fresh.text[0] = '"';
        std::memcpy(fresh.text + 1, escaped, size);
        std::memcpy(fresh.text + 1 + size, "\":", 2);
        fresh.size = static_cast<std::uint32_t>(size + 3);
        fresh.id = id;
    }
    for (std::size_t i = 0; i < near; ++i) {
        formatted_key& entry = all[(first + i) % formatted_key::slots];
        if (entry.id != 0)
            continue;
        entry.name = fresh.name;
        entry.size = fresh.size;
        std::memcpy(entry.text, fresh.text, sizeof entry.text);
        __atomic_store_n(&entry.id, fresh.id, __ATOMIC_RELEASE);
        return &entry;
    }
    made.others.push_front(fresh);
    return &made.others.front();
}

namespace {

// `what` has to be an object that lives as long as the program.
template <const key_format::built_in& what>
const key_format& the_format() {
    static const key_format& format = key_format::built_in::make(what);
    return format;
}

constexpr key_format::built_in camel_format{"camel", &camel};
constexpr key_format::built_in camel_rails_format{"camel_rails", &camel_rails};
constexpr key_format::built_in upper_camel_format{"upper_camel", &upper_camel};
constexpr key_format::built_in snake_format{"snake", &snake};
constexpr key_format::built_in kebab_format{"kebab", &kebab};
constexpr key_format::built_in upper_format{"upper", &upper};
constexpr key_format::built_in lower_format{"lower", &lower};
constexpr key_format::built_in as_written_format{"as_written", nullptr};

} // namespace

const key_format& keys::camel() noexcept {
    return the_format<camel_format>();
}
const key_format& keys::camel_rails() noexcept {
    return the_format<camel_rails_format>();
}
const key_format& keys::upper_camel() noexcept {
    return the_format<upper_camel_format>();
}
const key_format& keys::snake() noexcept {
    return the_format<snake_format>();
}
const key_format& keys::kebab() noexcept {
    return the_format<kebab_format>();
}
const key_format& keys::upper() noexcept {
    return the_format<upper_format>();
}
const key_format& keys::lower() noexcept {
    return the_format<lower_format>();
}
const key_format& keys::as_written() noexcept {
    return the_format<as_written_format>();
}

void set_default_key_format(const key_format& format) noexcept {
    process_default.store(&format, std::memory_order_release);
}

const key_format& default_key_format() noexcept {
    const key_format* format = process_default.load(std::memory_order_acquire);
    return format != nullptr ? *format : keys::as_written();
}

} // namespace sluice
