package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.leasehold.engine.world.LogCapture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The document of a lease is put back as it was before its release, while the engine that held it lives. */
class RestoredLeaseIT extends WithEngines {

    private static final String SAID = "nothing is known here of that tenure";

    private TestEngine a;
    private BsonDocument held;

    @BeforeEach
    void startOne() throws InterruptedException {
        a = engines.start("a");
        Lease lease = a.acquires("name");
        held = stored();
        lease.close();
    }

    private void restored() {
        engines.documents().replaceOne(Filters.eq("_id", "billing#name"), held);
    }

    private void untilReleased() {
        Awaitility.await().until(() -> engines.shortForm("name").equals("-/1"));
    }

    @Test
    @DisplayName("An engine that reads it releases it and says so: its session would keep it for ever")
    void anEngineThatReadsItReleasesIt() throws InterruptedException {
        restored();
        TestEngine b = engines.start("b");
        b.isRefused("name", Refusal.Reason.HELD);

        try (LogCapture log = new LogCapture()) {
            assertThat(a.sees("name")).isInstanceOf(LeaseState.Held.class);
            untilReleased();

            assertThat(log.warningsAbout(SAID)).singleElement().asString().contains("lease 'name'", "token 1");
        }
        assertThat(b.acquires("name").token()).isEqualTo(2);
    }

    /** Holds a lease for long enough that the engine listens for changes. */
    private Lease holdsAndListens() throws InterruptedException {
        Lease lease = a.acquires("other");
        int before = a.hooks().waitsForChanges();
        a.clock().advance(ofSeconds(2));
        a.settles();
        Awaitility.await().until(() -> a.hooks().waitsForChanges() > before);
        return lease;
    }

    @Test
    @DisplayName("An engine that listens for changes notices it at once")
    void anEngineThatListensNoticesItAtOnce() throws InterruptedException {
        holdsAndListens();

        restored();

        untilReleased();
    }

    @Test
    @DisplayName("A lease that it holds, and one that another engine holds, are left alone")
    void whatIsHeldIsLeftAlone() throws InterruptedException {
        TestEngine b = engines.start("b");
        Lease own = a.acquires("own");
        Lease others = b.acquires("other's");
        a.claims("term", "h", ofSeconds(60));

        try (LogCapture log = new LogCapture()) {
            a.engine().refresh(List.of("own", "other's", "term", "name"));
            a.engine().leases();
            a.settles();

            assertThat(log.warningsAbout(SAID)).isEmpty();
        }
        assertThat(own.isHeld()).isTrue();
        assertThat(others.isHeld()).isTrue();
        assertThat(engines.shortForm("term")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("A read that began before the holder was told of its loss does not pass for a restored document")
    void aReadThatIsOlderThanALossIsNoRestoredDocument() throws InterruptedException {
        Lease lease = holdsAndListens();
        TestEngine b = engines.start("b");
        a.hooks().once(Hooks.Point.AFTER_READ, () -> {
            b.engine().admin().forceExpire("other", "it hangs");
            Awaitility.await().until(() -> !lease.isHeld());
            // Ends when nothing is left to do for the lease.
            CompletableFuture.runAsync(lease::close).get();
        });

        try (LogCapture log = new LogCapture()) {
            a.engine().leases();
            a.settles();

            assertThat(log.warningsAbout(SAID)).isEmpty();
        }
        assertThat(engines.shortForm("other")).isEqualTo("-/2");
    }
}
