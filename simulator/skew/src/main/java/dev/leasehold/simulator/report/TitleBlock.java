package dev.leasehold.simulator.report;

import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;

/** What was promised, what broke it, and what was done to get there. */
final class TitleBlock {

    /** A longer list would keep the drawing from the first page. */
    private static final int COMMANDS_SHOWN = 14;

    private final Finding finding;
    private final Plan plan;

    TitleBlock(Finding finding) {
        this.finding = finding;
        this.plan = finding.history().plan();
    }

    static String title(Finding finding) {
        return finding.promise() == null ? "All promises were held" : finding.promise() + " was broken";
    }

    Markup markup() {
        Markup block = new Markup().open("header").element("h1", title(finding));
        Violation violation = finding.violation();
        if (finding.promise() != null) {
            block.element("p", finding.promise().words(), "class", "promise");
        }
        if (violation != null) {
            block.open("p", "class", "sentence")
                    .text(violation.sentence() + " ")
                    .element("a", "Show it", "href", "#broken")
                    .close("p");
        }
        facts(block);
        commands(block);
        return block.close("header");
    }

    private void facts(Markup block) {
        Setting setting = plan.setting();
        block.open("dl", "class", "facts");
        Mutant mutant = finding.mutant();
        if (mutant != null) {
            fact(block, "mutant", mutant.name() + ": " + mutant.what());
        }
        fact(block, "tier", setting.inside() ? "inside the assumptions" : "outside of the assumptions");
        fact(block, "drift bound", setting.driftPpm() + " ppm");
        fact(
                block,
                "session",
                TimeWords.exact(setting.sessionNanos()) + ", heartbeat " + TimeWords.exact(setting.heartbeatNanos()));
        sessionsOfMachines(block);
        fact(
                block,
                "budgets",
                "operation " + TimeWords.exact(setting.operationNanos()) + ", command "
                        + TimeWords.exact(setting.commandNanos()));
        if (setting.partitions() > 1) {
            fact(block, "partitions", Integer.toString(setting.partitions()));
        }
        if (setting.threadLateNanos() != null) {
            fact(block, "threads of handles", "up to " + TimeWords.exact(setting.threadLateNanos()) + " late");
        }
        if (setting.singleWritesMax() != null) {
            fact(block, "leases in a command", "up to " + setting.singleWritesMax() + " each for itself");
        }
        fact(block, "network", network(setting.network()));
        fact(block, "database", database(setting.database()));
        fact(block, "profile", plan.profile() + ", seed " + plan.seed());
        fact(
                block,
                "history",
                finding.history().events().size() + " events, "
                        + finding.history().steps() + " steps");
        block.close("dl");
    }

    private void sessionsOfMachines(Markup block) {
        for (int machine = 0; machine < plan.machines().size(); machine++) {
            if (plan.machines().get(machine).sessionPercent() != null) {
                fact(
                        block,
                        "session of m" + machine,
                        TimeWords.exact(plan.sessionNanos(machine)) + ", heartbeat "
                                + TimeWords.exact(plan.heartbeatNanos(machine)));
            }
        }
    }

    private static void fact(Markup block, String name, String value) {
        block.open("div").element("dt", name).element("dd", value).close("div");
    }

    private static String network(NetworkConditions network) {
        if (network.equals(NetworkConditions.PERFECT)) {
            return "everything arrives at once";
        }
        StringBuilder text = new StringBuilder(range(network.delayNanos(), network.jitterNanos())).append(" each way");
        share(text, network.latePpm(), "late by up to " + TimeWords.exact(network.lateNanos()));
        share(text, network.lostRequestPpm(), "requests lost");
        share(text, network.lostReplyPpm(), "replies lost");
        share(text, network.refusedPpm(), "refused");
        share(text, network.unansweredPpm(), "done and answered with an error");
        share(text, network.repeatedPpm(), "repeated");
        return text.toString();
    }

    private static String range(long leastNanos, long jitterNanos) {
        String least = TimeWords.exact(leastNanos);
        return jitterNanos == 0 ? least : least + " to " + TimeWords.exact(leastNanos + jitterNanos);
    }

    private static void share(StringBuilder text, int ppm, String what) {
        if (ppm > 0) {
            text.append(", ")
                    .append(ppm / 10_000)
                    .append('.')
                    .append((ppm / 1_000) % 10)
                    .append(" % ")
                    .append(what);
        }
    }

    private static String database(DatabaseConditions database) {
        return "majority after " + range(database.replicationNanos(), database.replicationJitterNanos())
                + (database.watches() ? "" : ", no change streams");
    }

    private void commands(Markup block) {
        int number = plan.commands().size();
        String count = number == 0 ? "no command" : number == 1 ? "one command" : number + " commands";
        block.element("h2", finding.minimalPlanJson() == null ? "The plan: " + count : "The plan, shrunk to " + count);
        boolean many = number > COMMANDS_SHOWN;
        if (many) {
            block.open("details").element("summary", "Show all " + count);
        }
        if (number == 0) {
            block.element(
                    "p",
                    "The end of every history is enough, at which the last machine acquires each lease.",
                    "class",
                    "promise");
        }
        list(block);
        if (many) {
            block.close("details");
        }
    }

    private void list(Markup block) {
        block.open("ol", "class", "commands");
        for (Command command : plan.commands()) {
            block.open("li")
                    .element("span", TimeWords.instant(command.atNanos()), "class", "when")
                    .element("span", CommandWords.place(command), "class", "where")
                    .open("span")
                    .text(CommandWords.action(command.action()));
            if (command.fate() != null) {
                block.text(" ").element("em", CommandWords.fate(command));
            }
            block.close("span").close("li");
        }
        block.close("ol");
    }
}
