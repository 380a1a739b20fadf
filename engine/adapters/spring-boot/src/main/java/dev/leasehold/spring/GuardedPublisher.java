package dev.leasehold.spring;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What the caller of a method gets that returns a {@link Mono} or a {@link Flux}. Each subscription is a call: it asks for the lease, calls
 * the method, subscribes to what that returns, and releases the lease when that ends, before the subscriber is told. Loaded only where
 * Reactor is.
 */
final class GuardedPublisher {

    private GuardedPublisher() {}

    static <A> Object of(ResultKind kind, Function<GuardedCall.Around, GuardedCall<A>> calls) {
        Mono<Subscribed<A>> subscribed =
                Mono.deferContextual(context -> Mono.just(new Subscribed<>(calls.apply(new Subscriber(context)))));
        return kind == ResultKind.MONO
                ? Mono.<Object, Subscribed<A>>usingWhen(
                        subscribed,
                        each -> each.asked().flatMap(answer -> Mono.<Object>from(each.work(answer))),
                        each -> each.end(null),
                        Subscribed::end,
                        each -> each.end(null))
                : Flux.<Object, Subscribed<A>>usingWhen(
                        subscribed,
                        each -> each.asked().flatMapMany(each::work),
                        each -> each.end(null),
                        Subscribed::end,
                        each -> each.end(null));
    }

    /** Of the innermost call around, for calls inside of it which run on other threads: one entry for each name of a lease. */
    private record ContextKey(String lease) {}

    private record Subscriber(ContextView context) implements GuardedCall.Around {

        @Override
        public @Nullable SharedLease lease(LeaseEngine engine, String name) {
            SharedLease lease = (SharedLease) attribute(new ContextKey(name));
            return lease != null && lease.isOf(engine, name) ? lease : THREAD.lease(engine, name);
        }

        @Override
        public @Nullable Object attribute(Object key) {
            return context.getOrEmpty(key).orElse(null);
        }
    }

    /** Ends work from outside: cancels it, and tells its subscriber so. */
    private static final class Stop {

        private final Sinks.Empty<Object> signal = Sinks.empty();
        private final AtomicReference<@Nullable Subscription> work = new AtomicReference<>();

        void subscribed(Subscription subscription) {
            work.set(subscription);
        }

        Mono<Object> signal() {
            return signal.asMono();
        }

        /** An error that ends takeUntilOther does not cancel what it takes from, unless that is subscribed to later. */
        void cancel() {
            cancelWork();
            signal.tryEmitError(new CancellationException("the application is stopping, and waits no longer"));
            cancelWork();
        }

        private void cancelWork() {
            Subscription subscription = work.getAndSet(null);
            if (subscription != null) {
                subscription.cancel();
            }
        }
    }

    /** One subscription. It may be cancelled at any time, also while the method is called on another thread. */
    private static final class Subscribed<A> {

        private final GuardedCall<A> call;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable CompletableFuture<? extends A> asked;
        private GuardedCall.@Nullable Hold hold;
        private boolean isTaken;
        private boolean isInMethod;
        private boolean isEnded;

        Subscribed(GuardedCall<A> call) {
            this.call = call;
        }

        /** The method is not called on a thread of the engine: it may block. */
        Mono<A> asked() {
            CompletableFuture<? extends A> answer = call.askAsync();
            boolean isGivenUp;
            lock.lock();
            try {
                asked = answer;
                isGivenUp = isEnded;
            } finally {
                lock.unlock();
            }
            if (isGivenUp) {
                giveUp(answer);
            }
            // Not cancelled by the subscriber, but by the end, which must know whether there was an answer before.
            Mono<A> mono = Mono.fromFuture(answer, true);
            return answer.isDone() ? mono : mono.publishOn(Schedulers.boundedElastic());
        }

        Publisher<?> work(A answer) {
            GuardedCall.Hold taken;
            lock.lock();
            try {
                if (isEnded) {
                    return Mono.empty();
                }
                isTaken = true;
                taken = call.take(answer);
                if (taken == null) {
                    return Mono.empty();
                }
                hold = taken;
                isInMethod = true;
            } finally {
                lock.unlock();
            }
            Stop stop = new Stop();
            Publisher<?> result;
            try {
                result = (Publisher<?>) call.proceed(taken);
            } catch (Throwable e) {
                result = Mono.error(e);
            } finally {
                returned(taken, stop);
            }
            if (result == null) {
                result = Mono.error(new NullPointerException("the method returned null, and no publisher"));
            }
            // A Mono stays one, since it is asked for that by the operators around.
            return result instanceof Mono<?> mono
                    ? mono.doOnSubscribe(stop::subscribed)
                            .takeUntilOther(stop.signal())
                            .contextWrite(context -> inside(taken.lease(), context))
                    : Flux.from(result)
                            .doOnSubscribe(stop::subscribed)
                            .takeUntilOther(stop.signal())
                            .contextWrite(context -> inside(taken.lease(), context));
        }

        private Context inside(SharedLease lease, Context around) {
            Context context = around;
            for (Map.Entry<Object, Object> attribute : call.attributes().entrySet()) {
                context = context.put(attribute.getKey(), attribute.getValue());
            }
            return context.put(new ContextKey(lease.lease().name()), lease).put(Lease.class, lease.lease());
        }

        /** Ends what was cancelled while the method ran. */
        private void returned(GuardedCall.Hold taken, Stop stop) {
            boolean isCancelled;
            lock.lock();
            try {
                isInMethod = false;
                isCancelled = isEnded;
            } finally {
                lock.unlock();
            }
            if (isCancelled) {
                taken.endAsync();
                call.ended(null);
            } else {
                taken.running().goOn(stop::cancel);
            }
        }

        Mono<?> end(@Nullable Throwable failure) {
            return Mono.fromFuture(() -> ended(failure), true);
        }

        private CompletableFuture<?> ended(@Nullable Throwable failure) {
            CompletableFuture<? extends A> answer;
            GuardedCall.Hold held;
            boolean isAnswerUsed;
            lock.lock();
            try {
                isEnded = true;
                if (isInMethod) {
                    return CompletableFuture.completedFuture(null);
                }
                answer = asked;
                held = hold;
                isAnswerUsed = isTaken;
            } finally {
                lock.unlock();
            }
            CompletableFuture<?> end;
            if (held != null) {
                end = held.endAsync();
            } else if (answer == null || isAnswerUsed) {
                end = CompletableFuture.completedFuture(null);
            } else {
                end = giveUp(answer);
            }
            call.ended(failure);
            return end;
        }

        /** What is cancelled leaves nothing behind. */
        private CompletableFuture<?> giveUp(CompletableFuture<? extends A> answer) {
            return answer.cancel(false)
                    ? CompletableFuture.completedFuture(null)
                    : answer.<@Nullable A>handle((given, none) -> given).thenCompose(this::givenBack);
        }

        private CompletableFuture<?> givenBack(@Nullable A given) {
            return given == null ? CompletableFuture.completedFuture(null) : call.giveBack(given);
        }
    }
}
