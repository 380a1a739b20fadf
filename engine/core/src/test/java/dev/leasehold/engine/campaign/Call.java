package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Asked;
import dev.leasehold.engine.campaign.Entry.Told;
import java.util.List;
import java.util.stream.Collectors;

/** One call with all that was told about it, in order. */
record Call(Asked asked, List<Told> told) {

    Operation operation() {
        return asked.operation();
    }

    /** What was told at last. A process that was killed was told nothing. */
    Verdict verdict() {
        return told.isEmpty() ? Verdict.UNKNOWN : last().verdict();
    }

    boolean isYes() {
        return verdict() == Verdict.YES;
    }

    boolean isNo() {
        return verdict() == Verdict.NO;
    }

    boolean isOpen() {
        return verdict().isOpen();
    }

    /** Whether the call itself answered yes, so that the caller may rely on it. */
    boolean isDirectYes() {
        return told.size() == 1 && isYes();
    }

    /** The token of the tenure that a yes began, kept or ended. */
    long grantedToken() {
        return last().token();
    }

    /** By when it had certainly happened. Only for a yes. */
    long doneByNanos() {
        return last().atNanos();
    }

    /** Which process made it. */
    String process() {
        return asked.call().substring(0, asked.call().lastIndexOf('-'));
    }

    /** Until when the lease is held after a yes. */
    long grantedUntilNanos() {
        return asked.atNanos() + asked.durationNanos();
    }

    private Told last() {
        return told.get(told.size() - 1);
    }

    @Override
    public String toString() {
        return asked.line() + told.stream().map(each -> "; " + each.line()).collect(Collectors.joining());
    }
}
