package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.leasehold.engine.world.LogCapture;
import java.util.List;
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

    @Test
    @DisplayName("An engine that listens for changes notices it at once")
    void anEngineThatListensNoticesItAtOnce() throws InterruptedException {
        a.acquires("other");
        int before = a.hooks().waitsForChanges();
        a.clock().advance(ofSeconds(2));
        a.settles();
        Awaitility.await().until(() -> a.hooks().waitsForChanges() > before);

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
}
