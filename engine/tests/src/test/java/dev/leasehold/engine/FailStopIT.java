package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.event.CommandEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An error in a thread of the engine, at a command to a real server, with other operations under way. */
class FailStopIT extends WithAnEngine {

    private static final Duration TERM = ofSeconds(60);

    /** The command at which the driver's listener throws. */
    private enum Point {
        UPDATE_STARTED("update", CommandStartedEvent.class),
        UPDATE_ANSWERED("update", CommandSucceededEvent.class),
        COMMIT_STARTED("commitTransaction", CommandStartedEvent.class),
        COMMIT_ANSWERED("commitTransaction", CommandSucceededEvent.class);

        private final String command;
        private final Class<? extends CommandEvent> event;

        Point(String command, Class<? extends CommandEvent> event) {
            this.command = command;
            this.event = event;
        }

        boolean is(CommandEvent seen) {
            return event.isInstance(seen) && seen.getCommandName().equals(command);
        }
    }

    /** Throws once, at the next event of the point that is set. The driver lets errors of a listener through. */
    private static CommandListener throwing(AtomicReference<@Nullable Point> next) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                throwAt(event);
            }

            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                throwAt(event);
            }

            private void throwAt(CommandEvent event) {
                Point point = next.get();
                if (point != null && point.is(event) && next.compareAndSet(point, null)) {
                    throw new InternalError("out of memory");
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("Each caller is answered what is so, session leases are free at once, and term leases run out")
    void eachCallerIsAnsweredWhatIsSo(Point point) throws Exception {
        AtomicReference<@Nullable Point> next = new AtomicReference<>();
        TestEngine failing = engines.startWith("failing", settings -> settings.addCommandListener(throwing(next)));
        Lease session = failing.acquires(LeaseRequest.of("session"));
        Lease term = failing.acquires(LeaseRequest.of("term").term(TERM));
        Lease closing = failing.acquires(LeaseRequest.of("closing").term(TERM));
        Map<String, CompletableFuture<?>> answers = new LinkedHashMap<>();

        next.set(point);
        closing.closeAsync();
        for (String name : new String[] {"one", "two"}) {
            answers.put(
                    name,
                    failing.engine()
                            .tryAcquireAsync(LeaseRequest.of(name).holder("h").term(TERM))
                            .toCompletableFuture());
        }
        answers.put(
                "three",
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return failing.engine().tenures().claim("three", "h", TERM);
                            } catch (InterruptedException e) {
                                throw new CompletionException(e);
                            }
                        },
                        callers));

        for (Map.Entry<String, CompletableFuture<?>> answer : answers.entrySet()) {
            Object result = answer.getValue()
                    .handle((value, failure) -> value != null ? value : failure)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThatIsSo(result instanceof CompletionException e ? e.getCause() : result, isHeld(answer.getKey()));
        }
        assertThat(failing.engine().health().detail()).contains("out of memory");
        assertThat(session.isHeld()).isFalse();
        assertThat(term.isHeld()).isFalse();
        Awaitility.await().until(() -> a.sees("session").status() == LeaseStatus.FREE);
        assertThat(a.acquires(LeaseRequest.of("session")).token()).isEqualTo(2);
        a.isRefused(LeaseRequest.of("term"), Reason.HELD);
    }

    private boolean isHeld(String name) {
        BsonDocument document = engines.leaseDocument(name);
        return document != null && new BsonString("h").equals(document.get("holder", BsonNull.VALUE));
    }

    private static void assertThatIsSo(Object answer, boolean held) {
        if (answer instanceof Acquisition.Acquired || answer instanceof Granted) {
            assertThat(held).as(answer.toString()).isTrue();
        } else if (answer instanceof LeaseOutcomeUnknownException unknown) {
            assertThat(unknown.resolution().toCompletableFuture()).isDone();
        } else {
            assertThat(answer).isInstanceOf(LeaseEngineClosedException.class);
            assertThat(held).as(answer.toString()).isFalse();
        }
    }
}
