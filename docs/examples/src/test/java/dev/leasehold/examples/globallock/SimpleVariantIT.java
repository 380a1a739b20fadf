package dev.leasehold.examples.globallock;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class SimpleVariantIT {

    private static final Instant NOW = Instant.parse("2073-03-03T09:40:00.005Z");
    private static final Clock RIGHT = Clock.fixed(NOW, ZoneOffset.UTC);

    private final MongoCollection<Document> objects;

    SimpleVariantIT(TestDatabase database) {
        objects = database.database().getCollection("objects");
        objects.insertOne(new Document("_id", "report"));
    }

    private boolean write(long token, Instant leasedUntil) {
        Tenure tenure = new Tenure("locks", "report", "worker", token);
        return new FencedObject(objects, "report").write(tenure, leasedUntil, "under " + token);
    }

    @Test
    void anOlderLeaseCannotWriteTheObjectWhateverTimesOfDaySay() {
        assertThat(write(13, NOW)).isTrue();
        assertThat(write(14, NOW.minusSeconds(240))).as("its clock is slow").isTrue();
        assertThat(write(13, NOW.plusSeconds(240))).isFalse();

        assertThat(objects.find())
                .containsExactly(new Document("_id", "report")
                        .append("leaseId", 14L)
                        .append("leasedUntil", Date.from(NOW.minusSeconds(240)))
                        .append("text", "under 14"));
    }

    @Test
    void comparingTimesOfDayTakesTheObjectFromALiveHolder() {
        TimeOfDayLock right = new TimeOfDayLock(objects, RIGHT);
        TimeOfDayLock fast = new TimeOfDayLock(objects, Clock.offset(RIGHT, Duration.ofMinutes(4)));

        assertThat(right.tryAcquire("report", "first", Duration.ofMinutes(3))).isTrue();
        assertThat(right.tryAcquire("report", "another", Duration.ofMinutes(3))).isFalse();
        assertThat(fast.tryAcquire("report", "second", Duration.ofMinutes(3)))
                .as("which is why no worker should")
                .isTrue();
    }
}
