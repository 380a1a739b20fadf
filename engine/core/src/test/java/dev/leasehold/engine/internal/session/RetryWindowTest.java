package dev.leasehold.engine.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.runtime.Backoff;
import org.junit.jupiter.api.Test;

class RetryWindowTest {

    @Test
    void windowAfterAnOverloadIsLongAndGrowsAndAnyOtherIsNot() {
        LeaseException overload = new LeaseUnavailableException("busy", null, true);
        LeaseException outage = new LeaseUnavailableException("away", null);

        for (int failures = 1; failures < 10; failures++) {
            assertThat(RetryWindow.nanos(failures, overload)).isEqualTo(Backoff.longWindowNanos(failures));
            assertThat(RetryWindow.nanos(failures, outage)).isEqualTo(Backoff.windowNanos(failures));
            assertThat(RetryWindow.nanos(failures, null)).isEqualTo(Backoff.windowNanos(failures));
        }
        assertThat(RetryWindow.nanos(2, new LeaseUnavailableException("a heartbeat", overload)))
                .as("with an overload as its cause")
                .isEqualTo(200_000_000L);
    }
}
