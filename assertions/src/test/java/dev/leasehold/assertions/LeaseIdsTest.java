package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseIdsTest {

    @Test
    void theClockDocumentIsCalledLikeItsNamespace() {
        assertThat(LeaseIds.clockId("jobs")).isEqualTo("jobs");
    }

    @Test
    void theLeaseDocumentIsCalledByNamespaceAndName() {
        assertThat(LeaseIds.leaseId("jobs", "nightly run")).isEqualTo("jobs#nightly run");
    }

    @Test
    @DisplayName("VA-15: a name that looks like another lease's id stays a lease of its own")
    void aNameThatLooksLikeAnIdStaysALeaseOfItsOwn() {
        assertThat(LeaseIds.leaseId("n", "n#x")).isEqualTo("n#n#x").isNotEqualTo(LeaseIds.leaseId("n", "x"));
    }

    @Test
    void theFirstPartitionIsTheNamespaceItself() {
        assertThat(LeaseIds.partition("jobs", 0)).isEqualTo("jobs");
        assertThat(LeaseIds.namespaceOf("jobs")).isEqualTo("jobs");
    }

    @Test
    void theOtherPartitionsHaveClockAndLeasesOfTheirOwn() {
        String partition = LeaseIds.partition("jobs", 3);

        assertThat(LeaseIds.clockId(partition)).isEqualTo("jobs~3");
        assertThat(LeaseIds.leaseId(partition, "nightly")).isEqualTo("jobs~3#nightly");
        assertThat(LeaseIds.namespaceOf(partition)).isEqualTo("jobs");
    }

    @Test
    void partitionsAreNumberedUpToSixtyThree() {
        assertThat(LeaseIds.partition("jobs", 63)).isEqualTo("jobs~63");
        assertRefused(() -> LeaseIds.partition("jobs", 64), "partition 64 is refused");
        assertRefused(() -> LeaseIds.partition("jobs", -1), "partition -1 is refused");
        assertRefused(() -> LeaseIds.partition("jobs~1", 1), "namespace 'jobs~1'");
    }

    @Test
    void theGateStripeIsCalledByItsNumberToo() {
        assertThat(LeaseIds.stripeId("jobs", "nightly", 1)).isEqualTo("jobs!1#nightly");
        assertThat(LeaseIds.stripeId("jobs", "nightly", 64)).isEqualTo("jobs!64#nightly");
    }

    @Test
    void numbersOfStripesHaveLimits() {
        assertRefused(() -> LeaseIds.stripeId("a", "n", 0), "gate stripe 0");
        assertRefused(() -> LeaseIds.stripeId("a", "n", 65), "gate stripe 65");
        assertThat(LeaseIds.checkStripes(0)).isZero();
        assertThat(LeaseIds.checkStripes(64)).isEqualTo(64);
        assertRefused(() -> LeaseIds.checkStripes(-1), "gate stripes -1");
        assertRefused(() -> LeaseIds.checkStripes(65), "gate stripes 65");
    }

    @Test
    void theRecordOfAnOccurrenceIsCalledByTheLengthOfTheNameToo() {
        assertThat(LeaseIds.occurrenceId("jobs", "nightly", "2073-03-03")).isEqualTo("jobs%7#nightly#2073-03-03");
        assertThat(LeaseIds.occurrenceId("jobs~3", "Ω#", "#")).isEqualTo("jobs~3%3#Ω###");
        assertRefused(() -> LeaseIds.occurrenceId("jobs", "nightly", " "), "occurrence ' '");
    }

    @Test
    void theRangesHaveTheRecordsOfOneLeaseAndOfOnePartition() {
        LeaseIds.Range ofLease = LeaseIds.occurrenceIds("jobs", "a");
        LeaseIds.Range ofPartition = LeaseIds.occurrenceIds("jobs");
        for (String occurrence : List.of("a", "!", "~", "Ω", "\uD83D\uDD12")) {
            assertThat(isIn(ofLease, LeaseIds.occurrenceId("jobs", "a", occurrence)))
                    .isTrue();
            assertThat(isIn(ofPartition, LeaseIds.occurrenceId("jobs", "a", occurrence)))
                    .isTrue();
            for (String other : List.of("a#", "b", "a#a", "aa", "!", "Ω")) {
                assertThat(isIn(ofLease, LeaseIds.occurrenceId("jobs", other, occurrence)))
                        .isFalse();
            }
            assertThat(isIn(ofPartition, LeaseIds.occurrenceId("jobs~1", "a", occurrence)))
                    .isFalse();
        }
        assertThat(isIn(ofPartition, LeaseIds.leaseId("jobs", "a"))).isFalse();
        assertThat(isIn(ofPartition, LeaseIds.stripeId("jobs", "a", 1))).isFalse();
    }

    private static boolean isIn(LeaseIds.Range range, String id) {
        return id.compareTo(range.from()) >= 0 && id.compareTo(range.below()) < 0;
    }

    @Test
    void noTwoDocumentsShareAnId() {
        List<String> namespaces = List.of("a", "b", "a/b", "a.b", "a:b", "a~1", "a~10", "b~1");
        List<String> names = List.of("a", "b", "#", "#a", "a#b", "b#a", "!0#a", "a/b", "~1#a");
        List<String> ids = new ArrayList<>();
        for (String namespace : namespaces) {
            ids.add(LeaseIds.clockId(namespace));
            names.forEach(name -> ids.add(LeaseIds.leaseId(namespace, name)));
            names.forEach(name -> ids.add(LeaseIds.stripeId(namespace, name, 1)));
            names.forEach(name -> ids.add(LeaseIds.stripeId(namespace, name, 11)));
            names.forEach(
                    name -> names.forEach(occurrence -> ids.add(LeaseIds.occurrenceId(namespace, name, occurrence))));
        }

        assertThat(ids).hasSize(872).doesNotHaveDuplicates();
    }

    @Test
    void badPartsAreRefused() {
        assertRefused(() -> LeaseIds.clockId("a#b"), "namespace 'a#b'");
        assertRefused(() -> LeaseIds.leaseId("a#b", "n"), "namespace 'a#b'");
        assertRefused(() -> LeaseIds.leaseId("a", ""), "lease name ''");
        assertRefused(() -> LeaseIds.stripeId("a!b", "n", 1), "namespace 'a!b'");
        assertRefused(() -> LeaseIds.stripeId("a", "", 1), "lease name ''");
    }

    private static void assertRefused(ThrowingCallable id, String part) {
        assertThatIllegalArgumentException().isThrownBy(id).withMessageStartingWith(part);
    }
}
