package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The writer's entry in the clock document. */
class RegistrationIT extends WithAnEngine {

    @Test
    @DisplayName("Registration is a write of its own before the first transaction, and names the driver session")
    void registrationComesFirst() throws InterruptedException {
        a.hooks().forgetCommands();
        BsonDocument[] entryBefore = new BsonDocument[1];
        a.hooks()
                .once(
                        Point.BEFORE_UPDATE,
                        () -> entryBefore[0] = engines.clockDocument().getDocument("writers"));

        a.claims("before", "h", ofSeconds(60));

        assertThat(a.hooks().commands("update")).hasSize(2).first().satisfies(register -> {
            assertThat(register.containsKey("startTransaction")).isFalse();
            assertThat(register.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
        });
        BsonBinary session = lsid(a.hooks().transactions().get(0));
        assertThat(entryBefore[0].getDocument(writerOfA()).getBinary("lsid")).isEqualTo(session);
        assertThat(engines.entry(writerOfA()).getBinary("lsid")).isEqualTo(session);
        assertThat(entryBefore[0].getDocument(writerOfA()).getInt64("time").getValue())
                .isEqualTo(Z - 1);
    }

    @Test
    @DisplayName("Closing takes the driver session out of the clock document, and leaves the entry")
    void closingTakesTheDriverSessionOut() throws InterruptedException {
        registered();
        String writer = writerOfA();

        a.close();

        assertThat(engines.entry(writer).keySet()).containsExactlyInAnyOrder("time", "drift", "txn");
        assertThat(engines.shortForm("before")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("An engine that never wrote closes without a trace")
    void anEngineThatNeverWroteLeavesNoTrace() {
        long ticks = engines.ticks();

        a.close();

        assertThat(engines.ticks()).isEqualTo(ticks);
        assertThat(engines.clockDocument().getDocument("writers")).isEmpty();
    }

    @Test
    @DisplayName("An engine whose entry is gone goes on as a new writer, and waits for its old lease like anybody")
    void anEngineWhoseEntryIsGoneGoesOnAsANewWriter() throws InterruptedException {
        registered();
        String old = writerOfA();
        engines.removeEntry(old);
        a.clock().advance(ofSeconds(10));

        a.claims("name", "h", ofSeconds(60));

        String writer = Engines.writer(engines.leaseDocument("name"));
        assertThat(writer).startsWith("a#").isNotEqualTo(old);
        assertThat(engines.clockDocument().getDocument("writers").keySet()).containsExactly(writer);
        assertThat(engines.entry(writer).getBinary("lsid"))
                .isEqualTo(lsid(a.hooks().transactions().get(0)));
        // First seen as another's 10 s after it was written for 60 s, with no word since of the writer that it had.
        assertThat(a.latestNanos("before")).isEqualTo(Z + 70 * SECOND);
        a.clock().advance(ofSeconds(60));
        refused(a.engine().tenures().expire("before"), Reason.NOT_EXPIRED);
        a.clock().advance(1);
        a.expires("before");
    }
}
