package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class LeaseHolderIT {

    /** As a class with {@code @Leased} methods is, in a unit test without Spring. */
    private static final class Report {
        long create() {
            return LeaseHolder.requireHeld().token();
        }
    }

    @Test
    @DisplayName("A unit test runs a method under a lease of its own, and nothing of it is left on the thread")
    void holderOfAUnitTest(TestDatabase database) throws Exception {
        Report report = new Report();
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                        .database(database.name())
                        .namespace("shop")
                        .build();
                Lease outer = engine.acquire("outer");
                Lease inner = engine.acquire("inner")) {
            long token = LeaseHolder.callWith(outer, () -> {
                LeaseHolder.callWith(inner, report::create);
                assertThat(LeaseHolder.current()).contains(outer);
                return report.create();
            });
            assertThat(token).isEqualTo(outer.token());
            assertThat(LeaseHolder.current()).isEmpty();
            assertThatThrownBy(report::create)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("LeaseHolder.callWith");

            engine.admin().forceExpire("inner", "test").orElseThrow();
            await().atMost(Duration.ofSeconds(60)).until(() -> !inner.isHeld());
            assertThatThrownBy(() -> LeaseHolder.callWith(inner, report::create))
                    .isInstanceOf(LeaseNotHeldException.class);
        }
        assertThatThrownBy(() -> LeaseHolder.callWith(null, report::create)).hasMessage("lease");
    }
}
