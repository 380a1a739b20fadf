package dev.leasehold.engine;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.search.MeterNotFoundException;
import org.awaitility.core.ThrowingRunnable;

/** What surveys show, sooner or later. */
final class SurveyedMeters {

    private SurveyedMeters() {}

    /** Each survey puts its gauges in place of those before it, which are away for a moment. */
    static void sees(ThrowingRunnable expectation) {
        await().ignoreExceptionsInstanceOf(MeterNotFoundException.class).untilAsserted(expectation);
    }
}
