package dev.leasehold.bench.row;

import java.time.Duration;

/** One thing that is measured, of several entrants, in the same rounds. */
public interface Row {

    /** {@return what stands above its table} */
    Heading heading();

    /**
     * Makes its entrants.
     *
     * @param lineup gets the entrants, and what is to be closed after them; also when this throws
     * @throws Exception if none of them can be measured
     */
    void open(Arena arena, Lineup lineup) throws Exception;

    /** {@return about how long it takes, for the progress bar} */
    Duration expected(Plan plan);

    /** {@return how long each turn that counts is: longer where a turn as short as planned would say little} */
    default Duration turn(Plan plan) {
        return plan.duration();
    }

    /** {@return how many rounds there are} */
    default int rounds(Plan plan) {
        return plan.rounds();
    }
}
