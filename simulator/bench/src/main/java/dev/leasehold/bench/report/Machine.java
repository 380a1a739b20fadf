package dev.leasehold.bench.report;

import com.sun.management.OperatingSystemMXBean;
import dev.leasehold.bench.server.Servers;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Where it was measured.
 *
 * @param cores of the machine
 * @param memoryGibibytes of the machine
 * @param system name and architecture
 * @param java the version of the JVM
 * @param mongo the version of the MongoDB server
 * @param servers where they ran, in a sentence
 * @param day on which
 */
public record Machine(
        int cores, double memoryGibibytes, String system, String java, String mongo, String servers, LocalDate day) {

    private static final double GIBIBYTE = 1L << 30;

    /** {@return this machine, today} */
    public static Machine of(Servers servers) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() / GIBIBYTE,
                System.getProperty("os.name") + ", " + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                servers.mongoVersion(),
                servers.sentence(),
                LocalDate.now(ZoneOffset.UTC));
    }

    /** {@return it in a line} */
    public String words() {
        return String.format(
                Locale.ROOT, "%d cores, %.0f GiB, %s; %s; MongoDB %s", cores, memoryGibibytes, system, java, mongo);
    }
}
