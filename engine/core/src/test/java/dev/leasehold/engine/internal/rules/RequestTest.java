package dev.leasehold.engine.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import org.junit.jupiter.api.Test;

class RequestTest {

    @Test
    void whoeverExtendsByTenureDoesNotRenew() {
        Request.Extend extend = new Request.Extend(new Tenure("billing", "name", "h", 1), 1);

        assertThat(extend.renewal()).isFalse();
    }

    @Test
    void anAcquisitionNeedsNoStripesNoRenewalAndNoMinimumHold() {
        Request.Acquire acquire = new Request.Acquire("name", "h", 7L, "why");

        assertThat(acquire).isEqualTo(new Request.Acquire("name", "h", 7L, "why", 0, false, 0, 0, 0, null, 0, null));
    }
}
