package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Request;
import org.junit.jupiter.api.Test;

/** The one form in which the log names a lease. */
class LogContextTest {

    private static final Tenure TENURE = new Tenure("n", "x", "h", 3);

    @Test
    void tenureIsNamedWhole() {
        String whole = "namespace 'n', lease 'x', holder 'h', token 3";

        assertThat(LogContext.of(TENURE)).hasToString(whole);
        assertThat(named(new Request.Extend(TENURE, 1))).hasToString(whole);
        assertThat(named(new Request.Release(TENURE))).hasToString(whole);
    }

    @Test
    void partitionIsNamedByItsNamespace() {
        assertThat(LogContext.of(new Tenure("n~3", "x", "h", 3)))
                .hasToString("namespace 'n', lease 'x', holder 'h', token 3");
    }

    @Test
    void whatIsNotKnownIsADash() {
        assertThat(named(new Request.Claim("x", "h", 1L, null)))
                .hasToString("namespace 'n', lease 'x', holder 'h', token -");
        assertThat(named(new Request.TakeOver("x", "h", 1L, null)))
                .hasToString("namespace 'n', lease 'x', holder 'h', token -");
        assertThat(named(new Request.Expire("x"))).hasToString("namespace 'n', lease 'x', holder -, token -");
        assertThat(named(new Request.Remove("x"))).hasToString("namespace 'n', lease 'x', holder -, token -");
        assertThat(LogContext.ofLease("n", "x")).hasToString("namespace 'n', lease 'x', holder -, token -");
    }

    private static LogContext named(Request request) {
        return new LogContext("n", request.name(), request.holder(), request.token());
    }
}
