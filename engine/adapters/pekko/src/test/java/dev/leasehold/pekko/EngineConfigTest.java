package dev.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.coordination.lease.javadsl.LeaseProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings, as the real provider hands them over. Nothing is sent: no server is needed. */
class EngineConfigTest {

    private final Config base = ConfigFactory.parseString("""
                    pekko.stdout-loglevel = OFF
                    pekko.loglevel = OFF
                    leasehold.pekko.connection-string = "mongodb://127.0.0.1:1/?replicaSet=none"
                    """).withFallback(ConfigFactory.load());
    private ActorSystem system;

    @AfterEach
    void end() {
        if (system != null) {
            Systems.terminate(system);
        }
    }

    @Test
    void theTimesOfPekkoApplyWhereLeaseholdsPathHasNone() {
        LeaseholdLease lease = get("pekko.coordination.lease.heartbeat-timeout = 60 s", LeaseholdLease.DEFAULTS);
        assertThat(lease.getSettings().timeoutSettings().getHeartbeatTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(lease.getSettings().timeoutSettings().getHeartbeatInterval()).isEqualTo(Duration.ofSeconds(12));
        assertThat(lease.getSettings().timeoutSettings().getOperationTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aPathOfOnesOwnTakesWhatItLeavesOutFromLeaseholds() {
        LeaseholdLease lease =
                get("jobs { lease-class = dev.leasehold.pekko.LeaseholdLease, heartbeat-timeout = 30 s }", "jobs");
        assertThat(lease.getSettings().timeoutSettings().getHeartbeatTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(lease.checkLease()).isFalse();
    }

    @Test
    void thereIsNoTenureBeforeTheFirstAcquire() {
        LeaseholdLease lease = get("", LeaseholdLease.DEFAULTS);
        assertThatThrownBy(lease::token)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lease 'jobs' of owner 'shop@host:1'");
    }

    @Test
    void aCallbackOfNullIsRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> get("", LeaseholdLease.DEFAULTS).acquire(null))
                .withMessageContaining("leaseLostCallback null is refused");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    heartbeat-timeout = 5 s, heartbeat-interval = 1 s, lease-operation-timeout = 5 s | heartbeat-timeout = 5000 ms is refused: it must be longer than lease-operation-timeout, which is 5000 ms
                    heartbeat-timeout = 2 d                                  | heartbeat-timeout = 172800000 ms is refused: it must be at most 86400000 ms; for a lease that does not run out set expires = off
                    lease-operation-timeout = 10 ms                          | lease-operation-timeout = 10 ms is refused: it must be 100 ms to 3600000 ms
                    heartbeat-interval = 1 ms                                | heartbeat-interval = 1 ms is refused: it must be 10 ms to 86400000 ms
                    partitions = 65                                          | partitions = 65 is refused: it must be 1 to 64
                    maximum-drift-ppm = -1                                   | maximum-drift-ppm = -1 is refused: it must be 0 to 999999
                    gate-stripes = 65                                        | 65
                    partitions = 1.5                                         | partitions = 1.5 is refused: it must be a whole number
                    maximum-drift-ppm = "0.5"                                | maximum-drift-ppm = 0.5 is refused: it must be a whole number
                    gate-stripes = 2.5                                       | gate-stripes = 2.5 is refused: it must be a whole number
                    namespace = "two words"                                  | two words
                    database = ""                                            | database '' is refused
                    database = "my.db"                                       | database 'my.db' with collection 'leases' is refused
                    database = config                                        | database 'config' with collection 'leases' is refused
                    database = "cash$"                                       | database 'cash$' with collection 'leases' is refused
                    collection = ""                                          | with collection '' is refused
                    collection = system.leases                               | with collection 'system.leases' is refused
                    collection = "zero\\u0000"                               | is refused
                    connection-string = ""                                   | connection-string '' is refused: set it to the URI of a MongoDB replica set, or create the actor system with a LeaseholdSetup
                    connection-string = "localhost"                          | connection-string is refused: it must be mongodb://
                    """)
    void whatDoesNotFitIsRefusedAtOnceWithItsValues(String settings, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> get("leasehold.pekko { " + settings + " }", LeaseholdLease.DEFAULTS))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://ann:hunter2%@db",
                "mongodb://ann:777%qzhunter2@db",
                "mongodb://ann:hunter2/x@db",
                "mongodb://ann:777?hunter2@db",
                "mongodb://ann:777/?hunter2@db",
                "mongodb://ann:777/a?hunter2=x@db"
            })
    void noPartOfAPasswordIsRepeatedWhateverItsCharacters(String uri) {
        assertThatThrownBy(
                        () -> get("leasehold.pekko { connection-string = \"" + uri + "\" }", LeaseholdLease.DEFAULTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("connection-string is refused")
                .satisfies(
                        refused -> assertThat(stackTrace(refused)).doesNotContain("hunter", "777", "qz", "escape (%)"));
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aHeartbeatThatIsTooRareIsRefusedByPekkoItself() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> get(
                        "leasehold.pekko { heartbeat-timeout = 10 s, heartbeat-interval = 5 s }",
                        LeaseholdLease.DEFAULTS))
                .withMessageContaining("heartbeat-interval must be less than half heartbeat-timeout");
    }

    @Test
    void infiniteIsNoHeartbeatTimeoutForPekko() {
        assertThatThrownBy(() -> get("leasehold.pekko.heartbeat-timeout = infinite", LeaseholdLease.DEFAULTS))
                .isInstanceOf(ConfigException.BadValue.class);
    }

    @Test
    void anotherLeaseClassIsNotTakenForThisOne() {
        assertThatThrownBy(() -> get("jobs.lease-class = no.such.Lease", "jobs"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    private LeaseholdLease get(String settings, String path) {
        system = ActorSystem.create(
                "shop", ConfigFactory.parseString(settings).withFallback(base).resolve());
        return (LeaseholdLease) LeaseProvider.get(system).getLease("jobs", path, "shop@host:1");
    }
}
