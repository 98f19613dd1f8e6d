// Views: named templates with variants, of which one is chosen at run time.
#pragma once

#include <sluice/coro/task.hpp>
#include <sluice/render/slot.hpp>

#include <concepts>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// g++ 12 warns of the frame of a coroutine template whose argument is a local type, wrongly: frames have no linkage.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace sluice {

/// Thrown for a name that is not there. Its code is errc::no_view; what() lists the nearest names.
class no_view_error : public std::system_error {
public:
    explicit no_view_error(const std::string& what) : std::system_error(errc::no_view, "sluice: " + what) {}
};

/// What a view is asked for, or one of its variants is for: a locale, variants, a format.
///
/// Asked for, `locale("de-CH")` falls back to "de" and then to what has no locale; `variant` may be given several
/// times, the first that is there wins, and then what has none; a format falls back to what has none. The locale weighs
/// most, then the format, then the variant.
class view_options {
public:
    view_options() = default;

    view_options& locale(std::string name) {
        locale_ = std::move(name);
        return *this;
    }
    view_options& format(std::string name) {
        format_ = std::move(name);
        return *this;
    }
    view_options& variant(std::string name) {
        variants_.push_back(std::move(name));
        return *this;
    }
    /// The option `name` ("locale", "format", "variant"), for options that come as text. Throws no_view_error for
    /// another name.
    view_options& set(std::string_view name, std::string value);

    const std::string& locale() const noexcept { return locale_; }
    const std::string& format() const noexcept { return format_; }
    const std::vector<std::string>& variants() const noexcept { return variants_; }

    friend bool operator==(const view_options&, const view_options&) = default;

private:
    std::string locale_;
    std::string format_;
    std::vector<std::string> variants_;
};

namespace detail {

/// How well a variant fits what is asked for: 0 is best; negative: it does not.
int view_rank(const view_options& variant, const view_options& wanted);
/// Throws std::invalid_argument where a variant is for several variants, or the same as another.
void check_variant(std::string_view view, const view_options& added, const std::vector<const view_options*>& others);
[[noreturn]] void no_variant(std::string_view view, const view_options& wanted);
[[noreturn]] void unknown_name(std::string_view what, std::string_view name,
                               const std::vector<std::string_view>& known);

/// A template whose type is forgotten.
template <class... Args>
class any_template {
public:
    virtual ~any_template() = default;
    virtual coro::task<> run(slot out, Args... args) = 0;
};

template <class Write, class... Args>
class some_template final : public any_template<Args...> {
public:
    explicit some_template(Write write) : write_(std::move(write)) {}
    coro::task<> run(slot out, Args... args) override {
        if constexpr (std::same_as<std::invoke_result_t<Write&, slot, Args...>, coro::task<>>)
            return write_(std::move(out), static_cast<Args&&>(args)...);
        else
            return await(std::move(out), static_cast<Args&&>(args)...);
    }

private:
    coro::task<> await(slot out, Args... args) { co_await write_(std::move(out), static_cast<Args&&>(args)...); }
    Write write_;
};

} // namespace detail

/// A named template of these arguments (`view<const post&>`), with variants for locales, variants and formats.
///
///     sluice::view<const post&> post_view("posts/post", write_post);
///     post_view.add(sluice::view_options().locale("de"), write_post_in_german);
///
///     co_await post_view(json["post"], p);
///     co_await post_view(json["post"], p, sluice::view_options().locale("de-CH"));
///     co_await json["posts"].each(posts, post_view);
///
/// What is asked for where a call says nothing is the render's view_options, if with_context gives it any, and else the
/// default. A copy is the same view. Variants are added before it is used; then several threads may use it.
template <class... Args>
class view {
public:
    /// Without a default template: then something has to fit whenever it is used (errc::no_view).
    explicit view(std::string name) : state_(std::make_shared<state>()) { state_->name = std::move(name); }
    template <class Write>
        requires std::invocable<Write&, slot, Args...>
    view(std::string name, Write write) : view(std::move(name)) {
        add(view_options(), std::move(write));
    }

    /// Throws std::invalid_argument for a second template of the same options.
    template <class Write>
        requires std::invocable<Write&, slot, Args...>
    view& add(view_options variant, Write write) {
        static_assert(!std::is_void_v<std::invoke_result_t<Write&, slot, Args...>>, SLUICE_NOTHING_TO_AWAIT);
        std::vector<const view_options*> others;
        for (const auto& [options, run] : state_->variants)
            others.push_back(&options);
        detail::check_variant(state_->name, variant, others);
        state_->variants.push_back(
            {std::move(variant), std::make_unique<detail::some_template<Write, Args...>>(std::move(write))});
        return *this;
    }

    const std::string& name() const noexcept { return state_->name; }

    /// Renders into the slot. Throws no_view_error where no variant fits and there is no default.
    coro::task<> operator()(slot out, Args... args) const {
        const view_options* wanted = out.template find_context<const view_options>();
        static const view_options nothing;
        return choose(wanted != nullptr ? *wanted : nothing).run(std::move(out), static_cast<Args&&>(args)...);
    }
    coro::task<> operator()(slot out, Args... args, const view_options& wanted) const {
        return choose(wanted).run(std::move(out), static_cast<Args&&>(args)...);
    }

private:
    struct choice {
        view_options options;
        std::unique_ptr<detail::any_template<Args...>> write;
    };
    struct state {
        std::string name;
        std::vector<choice> variants;
    };

    detail::any_template<Args...>& choose(const view_options& wanted) const {
        const choice* best = nullptr;
        int best_rank = -1;
        for (const choice& one : state_->variants) {
            const int rank = detail::view_rank(one.options, wanted);
            if (rank >= 0 && (best == nullptr || rank < best_rank)) {
                best = &one;
                best_rank = rank;
            }
        }
        if (best == nullptr)
            detail::no_variant(state_->name, wanted);
        return *best->write;
    }

    std::shared_ptr<state> state_;
};

/// Views of the same arguments, found by name: for names that are known at run time only.
template <class... Args>
class view_set {
public:
    view_set(std::initializer_list<view<Args...>> all) {
        for (const view<Args...>& one : all)
            add(one);
    }
    /// Throws std::invalid_argument for a second view of the same name.
    void add(view<Args...> one) {
        for (const view<Args...>& other : all_)
            if (other.name() == one.name())
                throw std::invalid_argument("sluice: there are two views \"" + one.name() + '"');
        all_.push_back(std::move(one));
    }
    /// Throws no_view_error, which names the nearest.
    const view<Args...>& operator[](std::string_view name) const {
        for (const view<Args...>& one : all_)
            if (one.name() == name)
                return one;
        std::vector<std::string_view> names;
        for (const view<Args...>& one : all_)
            names.push_back(one.name());
        detail::unknown_name("view", name, names);
    }

private:
    std::vector<view<Args...>> all_;
};

} // namespace sluice

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
