package dev.leasehold.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.testkit.TestLeases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;

class WithTestLeasesTest {

    private static final List<Object> SEEN = new ArrayList<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void aTestItsConstructorAndWhatIsAroundItGetTheSame() {
        run(Parameters.class, 2);

        assertThat(SEEN.subList(0, 4)).containsOnly(SEEN.get(0));
        assertThat(SEEN.subList(4, 8)).containsOnly(SEEN.get(4));
        assertThat(SEEN.get(0)).isNotSameAs(SEEN.get(4));
    }

    @Test
    void afterTheTestAllIsClosed() {
        run(Parameters.class, 2);

        assertThat(SEEN)
                .allSatisfy(seen ->
                        assertThat(((LeaseEngine) seen).health().ready()).isFalse());
    }

    /** JUnit before 5.13 does not close what is just closeable, and later ones can be told not to, as here. */
    @Test
    void afterAConstructorThatFailsAllIsClosedByEachVersionOfJUnit() {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.store.close.autocloseable.enabled", "false")
                .selectors(selectClass(FailsInItsConstructor.class))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.failed(1));

        assertThat(SEEN)
                .singleElement()
                .satisfies(
                        seen -> assertThat(((LeaseEngine) seen).health().open()).isFalse());
    }

    @Test
    void aClassHasNone() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(ForAClass.class))
                .execute()
                .containerEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        EventConditions.event(EventConditions.finishedWithFailure(
                                org.junit.platform.testkit.engine.TestExecutionResultConditions.message(
                                        text -> text.contains("each test has leases of its own")))));
    }

    private static void run(Class<?> tests, int expected) {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(expected).failed(0));
    }

    @WithTestLeases
    static class Parameters {

        Parameters(LeaseEngine engine) {
            SEEN.add(engine);
        }

        @BeforeEach
        void before(TestLeases leases) {
            SEEN.add(leases.engine());
        }

        @AfterEach
        void after(LeaseEngine engine) {
            SEEN.add(engine);
        }

        @Test
        void one(LeaseEngine engine) throws InterruptedException {
            SEEN.add(engine);
            assertThat(engine.tryAcquire("x").orElseThrow().token()).isOne();
        }

        @Test
        void another(LeaseEngine engine) throws InterruptedException {
            SEEN.add(engine);
            assertThat(engine.tryAcquire("x").orElseThrow().token()).isOne();
        }
    }

    @WithTestLeases
    static class FailsInItsConstructor {

        FailsInItsConstructor(LeaseEngine engine) {
            SEEN.add(engine);
            throw new IllegalStateException("as of another extension that is missing something");
        }

        @Test
        void test() {
            SEEN.add("");
        }
    }

    @WithTestLeases
    static class ForAClass {

        @BeforeAll
        static void before(LeaseEngine engine) {
            SEEN.add(engine);
        }

        @Test
        void test() {
            SEEN.add("");
        }
    }
}
