package dev.leasehold.operator.doctor;

import org.jspecify.annotations.Nullable;

/**
 * Something that was looked at.
 *
 * @param severity how bad it is
 * @param check what was looked at, in a word that never changes
 * @param found what was found
 * @param remedy what to do about it; null where nothing has to be done
 */
public record Finding(
        Severity severity,
        String check,
        String found,
        @Nullable String remedy) {

    /** How bad something is. */
    public enum Severity {
        /** As it should be. */
        OK,
        /** Worth knowing: it may be meant to be so, or could not be looked at. */
        NOTICE,
        /** Something does not work, or a promise does not hold. */
        PROBLEM
    }

    static Finding ok(String check, String found) {
        return new Finding(Severity.OK, check, found, null);
    }

    static Finding notice(String check, String found, String remedy) {
        return new Finding(Severity.NOTICE, check, found, remedy);
    }

    static Finding problem(String check, String found, String remedy) {
        return new Finding(Severity.PROBLEM, check, found, remedy);
    }
}
