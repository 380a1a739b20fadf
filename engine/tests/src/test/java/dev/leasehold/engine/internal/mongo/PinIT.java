package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Updates;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pins in the lease document {@code x}, and what they keep from being written. */
class PinIT extends WithStores {

    PinIT(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void aLease() {
        a.commits(a.insert("x"));
    }

    private LeaseWrite pin(String entity) {
        return new LeaseWrite.Pin("x", a.guard("x"), entity, true);
    }

    private LeaseWrite unpin(String entity) {
        return new LeaseWrite.Pin("x", a.guard("x"), entity, false);
    }

    private Set<String> pins() {
        return ((StoredLease.Sound) a.store().read(Set.of("x"), "a").leases().get(0))
                .document()
                .pins();
    }

    @Test
    void eachEntityHasAPinOfItsOwnAndTheRestOfTheDocumentStays() {
        BsonDocument before = stores.lease("x");

        a.commits(pin("ops")).commits(pin("audit"));

        assertThat(pins()).containsExactlyInAnyOrder("ops", "audit");
        assertThat(stores.lease("x")).isEqualTo(before.append("pins", BsonArray.parse("['ops', 'audit']")));
        a.commits(unpin("ops"));
        assertThat(pins()).containsExactly("audit");
    }

    @Test
    void pinningAndUnpinningAgainIsDoneAlready() {
        a.commits(pin("ops")).commits(pin("ops"));
        assertThat(stores.lease("x").getArray("pins")).hasSize(1);

        a.commits(unpin("ops")).commits(unpin("ops"));
        assertThat(pins()).isEmpty();
    }

    @Test
    void aPinNeedsTheDocumentThatWasSeen() {
        LeaseWrite late = pin("ops");
        a.commits(a.replace("x", "h", 1));

        assertThat(a.commit(late)).isEqualTo(WriteOutcome.MISSED);

        assertThat(stores.lease("x")).doesNotContainKey("pins");
    }

    @Test
    void nobodyTakesAPinnedLeaseInATransactionOrWithoutOne() {
        a.commits(pin("ops"));
        BsonDocument pinned = stores.lease("x");

        assertThat(a.commit(a.takes("x", "h2", 2))).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.store().writeLeases("a", List.of(a.takes("x", "h2", 2)))).isEqualTo(WriteOutcome.MISSED);

        assertThat(stores.lease("x")).isEqualTo(pinned);
    }

    @Test
    void itsHolderWritesAPinnedLeaseAndThePinsStay() {
        a.commits(pin("ops"));

        a.commits(a.replace("x", "h", 1));
        assertThat(a.store().writeLeases("a", List.of((LeaseWrite.Replace) a.replace("x", null, 1))))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(pins()).containsExactly("ops");
        assertThat(stores.lease("x").isNull("holder")).isTrue();
    }

    @Test
    void aLeaseWhosePinsWereTakenAwayIsTakenAgain() {
        a.commits(pin("ops")).commits(unpin("ops"));
        assertThat(stores.lease("x").getArray("pins")).isEmpty();

        assertThat(a.commit(a.takes("x", "h2", 2))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void pinsThatAreNoArrayMakeTheLeaseCorrupt() {
        stores.expectCorruptDocuments();
        stores.edit("billing#x", Updates.set("pins", "ops"));

        assertThat(a.store().read(Set.of("x"), "a").leases())
                .singleElement()
                .isInstanceOfSatisfying(
                        StoredLease.Corrupt.class,
                        corrupt -> assertThat(corrupt.field()).isEqualTo("pins"));
    }
}
