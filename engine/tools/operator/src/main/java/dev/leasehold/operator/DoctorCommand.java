package dev.leasehold.operator;

import dev.leasehold.operator.doctor.Doctor;
import dev.leasehold.operator.doctor.Finding;
import dev.leasehold.operator.doctor.Finding.Severity;
import dev.leasehold.operator.doctor.LeaseLocation;
import dev.leasehold.operator.view.DisplayText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is wrong, and what to do about it. */
@Command(
        name = "doctor",
        description = {
            "Looks for what is wrong with a namespace, its servers and the rights of the connected user, and says what to do.",
            "It only reads. What it may not look at, it says."
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand extends DatabaseCommand {

    @Option(
            names = "--look",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = DurationText.class,
            description =
                    "For how long to look at what goes on; default ${DEFAULT-VALUE}. Longer than a session shows which engines"
                            + " are dead.")
    private Duration look = Duration.ofSeconds(5);

    @Option(names = "--all", description = "Shows what is as it should be, too.")
    private boolean all;

    DoctorCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        LeaseLocation place =
                new LeaseLocation(open.client(), open.database(), open.collection(), open.namespace(), open.timeout());
        List<Finding> findings = new Doctor(place, open::inspector, look).examine();
        List<Finding> shown = findings.stream()
                .filter(finding -> all || finding.severity() != Severity.OK)
                .map(DoctorCommand::redacted)
                .toList();
        if (json()) {
            printJson(shown);
        } else {
            shown.forEach(this::show);
            print(summary(findings));
        }
        return count(findings, Severity.PROBLEM) > 0 ? ExitCode.FINDINGS : ExitCode.DONE;
    }

    static Finding redacted(Finding finding) {
        return new Finding(finding.severity(), finding.check(), Redaction.of(finding.found()), finding.remedy());
    }

    private void show(Finding finding) {
        print(String.format(
                Locale.ROOT,
                "%-8s %s: %s",
                finding.severity().name().toLowerCase(Locale.ROOT),
                finding.check(),
                finding.found()));
        if (finding.remedy() != null) {
            print("         -> " + finding.remedy());
        }
    }

    private static String summary(List<Finding> findings) {
        return DisplayText.count(count(findings, Severity.PROBLEM), "problem") + ", "
                + DisplayText.count(count(findings, Severity.NOTICE), "notice") + ", " + count(findings, Severity.OK)
                + " in order";
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
