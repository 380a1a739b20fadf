package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.simulator.history.WriterName;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** In which partition a lease lies, and how many there are. */
public final class PartitionMistakes {

    private PartitionMistakes() {}

    /** What is drawn depends on who draws. */
    public static final class OwnHash {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("paths") List<CommitPath> paths, @Advice.Return(readOnly = false) int index) {
            index = (index + WriterName.of(paths.get(0).writer()).machine()) % paths.size();
        }
    }

    /** Every other machine is configured with one partition more. */
    public static final class OneMore {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) EngineSettings settings) {
            settings = new EngineSettings(
                    settings.namespace(),
                    settings.partitions() + (settings.instance().charAt(1) - '0') % 2,
                    settings.instance(),
                    settings.drift(),
                    settings.operationBudgetNanos(),
                    settings.closeBudgetNanos(),
                    settings.retentionNanos(),
                    settings.sessionNanos(),
                    settings.heartbeatNanos(),
                    settings.singleWritesMax());
        }
    }

    /** The number in the clock document is that of the engine, for all that is looked at. */
    public static final class AnyNumber {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean same) {
            same = true;
        }
    }
}
