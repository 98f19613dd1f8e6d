#include "support.hpp"
#include <sluice/coro/async_generator.hpp>
#include <sluice/coro/sync_wait.hpp>
#include <sluice/coro/this_chain.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sluice::coro {
namespace {

using test::dropped_chain;
using test::forever;
using test::note;
using log = std::vector<std::string>;

async_generator<int> numbers(int count, log* events = nullptr) {
    for (int i = 0; i < count; ++i) {
        if (events != nullptr)
            events->push_back("made " + std::to_string(i));
        co_yield i;
    }
}

template <class T>
task<std::vector<std::remove_cvref_t<T>>> collect(async_generator<T> from) {
    std::vector<std::remove_cvref_t<T>> all;
    while (auto* element = co_await from.next())
        all.push_back(std::move(*element));
    co_return all;
}

TEST(AsyncGeneratorTest, GivesEveryElementThenNullForEver) {
    EXPECT_EQ(sync_wait(collect(numbers(4))), (std::vector{0, 1, 2, 3}));
    EXPECT_TRUE(sync_wait(collect(numbers(0))).empty());
    auto ended = numbers(1);
    EXPECT_NE(sync_wait(ended.next()), nullptr);
    EXPECT_EQ(sync_wait(ended.next()), nullptr);
    EXPECT_EQ(sync_wait(ended.next()), nullptr);
    async_generator<int> empty;
    EXPECT_EQ(sync_wait(empty.next()), nullptr);
}

TEST(AsyncGeneratorTest, ProducesNothingAheadOfDemand) {
    log events;
    struct coroutines {
        static task<> consume(log& to) {
            auto all = numbers(2, &to);
            to.push_back("created");
            while (const int* element = co_await all.next())
                to.push_back("got " + std::to_string(*element));
        }
    };
    sync_wait(coroutines::consume(events));
    EXPECT_EQ(events, (log{"created", "made 0", "got 0", "made 1", "got 1"}));
}

TEST(AsyncGeneratorTest, TheBodyAwaitsWhatATaskMay) {
    struct coroutines {
        static task<int> twice(int n) {
            co_await yield();
            co_return 2 * n;
        }
        static async_generator<int> body() {
            for (int i = 0; i < 3; ++i) {
                co_await yield();
                co_yield co_await twice(i);
            }
            co_await yield();
        }
    };
    EXPECT_EQ(sync_wait(collect(coroutines::body())), (std::vector{0, 2, 4}));
}

TEST(AsyncGeneratorTest, EachNextRunsInTheCallersChain) {
    struct coroutines {
        static async_generator<scheduler*> where() {
            for (;;) {
                co_yield &co_await current_scheduler();
            }
        }
        static task<bool> here(async_generator<scheduler*>& from) {
            scheduler* const mine = &co_await current_scheduler();
            co_return *co_await from.next() == mine;
        }
    };
    auto from = coroutines::where();
    EXPECT_TRUE(sync_wait(coroutines::here(from)));
    EXPECT_TRUE(sync_wait(coroutines::here(from)));
}

TEST(AsyncGeneratorTest, RethrowsOnceAndHasEnded) {
    struct coroutines {
        static async_generator<int> fails() {
            co_yield 1;
            co_await yield();
            throw std::runtime_error("source");
        }
        static task<> consume(log& to) {
            auto from = fails();
            to.push_back(std::to_string(*co_await from.next()));
            try {
                (void)co_await from.next();
            } catch (const std::runtime_error& error) {
                to.push_back(error.what());
            }
            to.push_back(co_await from.next() == nullptr ? "ended" : "goes on");
        }
    };
    log events;
    sync_wait(coroutines::consume(events));
    EXPECT_EQ(events, (log{"1", "source", "ended"}));
}

TEST(AsyncGeneratorTest, YieldsTemporariesOfClassTypeOnce) {
    struct coroutines {
        static async_generator<std::string> texts(std::string prefix) {
            co_yield "a literal that is longer than a short string";
            co_yield std::string(40, 'x');
            co_yield prefix + " and more, so that it is long enough for the heap";
            const std::string constant = "a constant that stays what it is, whatever is moved";
            co_yield constant;
            co_yield constant;
        }
    };
    const auto all = sync_wait(collect(coroutines::texts("a prefix")));
    EXPECT_EQ(all, (log{"a literal that is longer than a short string", std::string(40, 'x'),
                        "a prefix and more, so that it is long enough for the heap",
                        "a constant that stays what it is, whatever is moved",
                        "a constant that stays what it is, whatever is moved"}));

    log destroyed;
    struct counted {
        static async_generator<note> notes(log& to) {
            co_yield note(to, "first");
            co_yield note(to, "second");
        }
        static task<> consume(log& to) {
            auto from = notes(to);
            while (co_await from.next() != nullptr)
                to.push_back("got");
        }
    };
    sync_wait(counted::consume(destroyed));
    EXPECT_EQ(destroyed, (log{"got", "first", "got", "second"}));
}

TEST(AsyncGeneratorTest, YieldsMoveOnlyElementsAndNamedAggregates) {
    struct row {
        std::string name;
        int number;
    };
    struct coroutines {
        static async_generator<std::unique_ptr<int>> owners() {
            co_yield std::make_unique<int>(1);
            auto named = std::make_unique<int>(2);
            co_yield named;
        }
        static task<int> sum() {
            auto from = owners();
            int total = 0;
            while (auto* owner = co_await from.next())
                total += **owner;
            co_return total;
        }
        static async_generator<row> rows() {
            row named{"a name that is longer than a short string", 1};
            co_yield named;
        }
    };
    EXPECT_EQ(sync_wait(coroutines::sum()), 3);
    const auto all = sync_wait(collect(coroutines::rows()));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "a name that is longer than a short string");
}

TEST(AsyncGeneratorTest, YieldsReferencesToTheSameObject) {
    int object = 0;
    struct coroutines {
        static async_generator<int&> references(int& to) {
            co_yield to;
            co_yield to;
        }
        static async_generator<const int> constants(const int& to) { co_yield to; }
        static task<> consume(int& expected) {
            auto from = references(expected);
            while (int* element = co_await from.next())
                ++*element;
            auto constant = constants(expected);
            EXPECT_EQ(co_await constant.next(), &expected);
        }
    };
    sync_wait(coroutines::consume(object));
    EXPECT_EQ(object, 2);
}

async_generator<int> guarded(log& to) {
    const note local(to, "body");
    for (int i = 0;; ++i)
        co_yield i;
}

TEST(AsyncGeneratorTest, DestroyingItAtAnElementRunsItsDestructorsAndAbandonsNothing) {
    log order;
    test::logging_observer observer(order);
    struct coroutines {
        static task<> consume(log& to) {
            {
                auto from = guarded(to);
                (void)co_await from.next();
                (void)co_await from.next();
            }
            to.push_back("after");
        }
    };
    dropped_chain consumer(coroutines::consume(order), environment(nullptr, {}, &observer));
    consumer.start();
    EXPECT_TRUE(consumer.ended());
    EXPECT_EQ(order, (log{"resumed", "body", "after", "suspending"}));
}

TEST(AsyncGeneratorTest, DroppingTheConsumerWhileTheBodyWaitsDestroysTheBody) {
    log order;
    test::logging_observer observer(order);
    struct coroutines {
        static async_generator<int> waits(log& to) {
            const note local(to, "body");
            co_yield 1;
            co_await forever();
        }
        static task<> consume(async_generator<int>& from, log& to) {
            const note local(to, "consumer");
            while (co_await from.next() != nullptr) {
            }
        }
    };
    auto outside = coroutines::waits(order);
    dropped_chain consumer(coroutines::consume(outside, order), environment(nullptr, {}, &observer));
    consumer.start();
    order.clear();
    consumer.drop();
    EXPECT_EQ(order, (log{"abandoned", "abandoned", "body", "consumer"}));
    EXPECT_EQ(sync_wait(outside.next()), nullptr);
}

TEST(AsyncGeneratorTest, AGeneratorThatWasNeverAskedOnlyDestroysItsParameters) {
    log destroyed;
    {
        auto unused = [](note) -> async_generator<int> { co_yield 1; }(note(destroyed, "parameter"));
    }
    EXPECT_EQ(destroyed, log{"parameter"});
}

TEST(AsyncGeneratorTest, GeneratorsNest) {
    struct coroutines {
        static async_generator<int> evens(int count) {
            auto from = numbers(count);
            while (const int* element = co_await from.next()) {
                co_await yield();
                if (*element % 2 == 0)
                    co_yield *element;
            }
        }
    };
    EXPECT_EQ(sync_wait(collect(coroutines::evens(7))), (std::vector{0, 2, 4, 6}));
}

} // namespace
} // namespace sluice::coro
