package dev.leasehold.operator;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How a command ended, for scripts. The numbers never change. */
enum ExitCode {
    DONE(0, "done"),
    FAILED(1, "failed unexpectedly"),
    USAGE(2, "wrong usage; nothing was done"),
    NOT_FOUND(3, "no such lease or namespace"),
    REFUSED(4, "the order does not fit the present state of the lease; nothing was done"),
    DECLINED(5, "not confirmed; nothing was done"),
    UNAVAILABLE(6, "the database could not do it in time; nothing was done, and trying again may help"),
    NOT_ALLOWED(7, "the database refused the command, for instance because a right is missing; nothing was done"),
    UNKNOWN(8, "it is unknown whether the order was carried out; look at the lease"),
    FINDINGS(9, "doctor has found problems"),
    CORRUPT(10, "a document breaks the schema"),
    NOT_RECORDED(120, "run --once: the command ended with 0, but its occurrence could not be recorded"),
    NOT_ACQUIRED(121, "run: another process holds the lease; nothing was run"),
    LOST(122, "run: the lease was lost, and the command was ended"),
    NOT_RUN(123, "run: the lease could not be requested, for instance because the database is away; nothing was run");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    int number() {
        return number;
    }

    String meaning() {
        return meaning;
    }

    /** All of them in one sentence, for the help. */
    static String inWords() {
        return "Exit codes: "
                + Arrays.stream(values())
                        .map(code -> code.number + " " + code.meaning)
                        .collect(Collectors.joining("; "))
                + ".";
    }
}
