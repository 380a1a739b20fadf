package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;

/** In a project whose tests run in parallel. No test asks for its set, so no server is needed. */
class ParallelTestsTest {

    private static final Queue<ExecutionMode> MODES = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void forget() {
        MODES.clear();
    }

    @Test
    void testsThatDoFaultsToOneSetRunOneAfterTheOther() {
        run(ShareASetOfTheirOwn.class);

        assertThat(MODES).containsExactly(ExecutionMode.SAME_THREAD, ExecutionMode.SAME_THREAD);
    }

    @Test
    void testsThatDoNoFaultsRunAsTheProjectHasIt() {
        run(UseTheSharedSet.class);

        assertThat(MODES).containsExactly(ExecutionMode.CONCURRENT, ExecutionMode.CONCURRENT);
    }

    private static void run(Class<?> tests) {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .selectors(selectClass(tests))
                .execute();
    }

    private static final class Mode implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            MODES.add(context.getExecutionMode());
        }
    }

    @ExtendWith(Mode.class)
    abstract static class Two {

        @Test
        void one() {}

        @Test
        void another() {}
    }

    @WithOwnReplicaSet
    static class ShareASetOfTheirOwn extends Two {}

    @WithReplicaSet
    static class UseTheSharedSet extends Two {}
}
