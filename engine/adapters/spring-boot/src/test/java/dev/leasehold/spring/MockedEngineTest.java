package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseEngine;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import reactor.core.publisher.Mono;

/** An application whose test has mocked the engine, and told it nothing to answer. */
@ExtendWith(OutputCaptureExtension.class)
class MockedEngineTest {

    private static final String REASON = "has answered null, as a mock does that was not told what to answer";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    LeaseHealthAutoConfiguration.class,
                    LeaseAnnotationsAutoConfiguration.class))
            .withPropertyValues("spring.application.name=shop")
            .withBean(LeaseEngine.class, MockedEngineTest::mock)
            .withBean(Jobs.class);

    /** As Mockito makes it. */
    private static LeaseEngine mock() {
        return (LeaseEngine) Proxy.newProxyInstance(
                LeaseEngine.class.getClassLoader(),
                new Class<?>[] {LeaseEngine.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "toString" -> "mock";
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> method.getReturnType() == Optional.class ? Optional.empty() : null;
                });
    }

    static class Jobs {
        @LeaderOnly("writer")
        public String write() {
            return "written";
        }

        @Leased(name = "report")
        public String report() {
            return "reported";
        }

        @Leased(name = "stage")
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("reported");
        }

        @Leased(name = "mono")
        public Mono<String> mono() {
            return Mono.just("reported");
        }
    }

    @Test
    @DisplayName("It starts, leads in no election, which is logged, and runs no method of a leader")
    void leadsNowhere(CapturedOutput output) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(LeaderElections.class).isLeader("writer"))
                    .isFalse();
            assertThat(context.getBean(Jobs.class).write()).isNull();
            assertThat(output).contains("takes no part in election 'writer'").contains("LeaseEngine.elect " + REASON);
        });
    }

    @Test
    @DisplayName("The call of a method with a lease says that the mock has to answer")
    void leasedMethodsSayWhy() {
        application.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatIllegalStateException()
                    .isThrownBy(jobs::report)
                    .withMessageContaining("LeaseEngine.tryAcquire " + REASON);
            assertThatThrownBy(jobs.stage()::join).hasMessageContaining(REASON);
            assertThatThrownBy(jobs.mono()::block).hasMessageContaining("LeaseEngine.tryAcquireAsync " + REASON);
        });
    }

    @Test
    @DisplayName("Its health is unknown")
    void healthIsUnknown() {
        application.run(context -> assertThat(context.getBeansOfType(HealthIndicator.class))
                .hasSize(2)
                .allSatisfy((name, indicator) -> {
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
                    assertThat(String.valueOf(indicator.health().getDetails().get("detail")))
                            .contains(REASON);
                }));
    }
}
