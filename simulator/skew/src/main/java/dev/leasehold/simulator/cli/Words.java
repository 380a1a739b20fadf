package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Ending;
import dev.leasehold.simulator.mutants.Mutant;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Words for what is counted and concluded. */
final class Words {

    private static final double TENTHS = 10;

    private Words() {}

    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    static String tenths(double number) {
        return Double.toString(Math.round(number * TENTHS) / TENTHS);
    }

    /** A mutant that is planted, in a line. */
    static String of(@Nullable Mutant mutant) {
        return mutant == null ? "no mutant" : "mutant " + mutant.name() + ": " + mutant.what();
    }

    /** Why a file can be neither read nor written. */
    static String of(IOException thrown) {
        if (thrown instanceof NoSuchFileException) {
            return "it is not there, or its folder is not";
        }
        if (thrown instanceof AccessDeniedException) {
            return "access is denied";
        }
        if (thrown instanceof MalformedInputException) {
            return "it is no text in UTF-8";
        }
        if (thrown instanceof FileAlreadyExistsException) {
            return "a file is there, and no folder";
        }
        String reason = thrown instanceof FileSystemException of ? of.getReason() : thrown.getMessage();
        return reason == null ? thrown.toString() : reason;
    }

    static String of(Ending ending) {
        return switch (ending) {
            case HELD -> "all promises were held";
            case UNSAFE -> "a promise of safety was broken";
            case NOT_LIVE -> "a promise of liveness or a limit was broken";
            case BLIND -> "no promise was broken, but not everything was reached that must be";
            case NOT_DETERMINISTIC -> "the same seed did not make the same history";
            case CRASHED -> "the simulator or the engine crashed";
        };
    }
}
