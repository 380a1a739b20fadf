package dev.leasehold.simulator.mutants;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first field of a plan's file: the mutant with which the plan breaks an invariant. A plan does not know of mutants, and without its
 * mutant it shows nothing; so the file keeps the two together.
 */
public final class MutantNote {

    private static final Pattern FIRST_FIELD =
            Pattern.compile("\\A(\\s*\\{)(\\s*)\"mutant\"\\s*:\\s*\"([^\"]*)\"\\s*,");

    private MutantNote() {}

    /** The file of a plan, with a note if there is a mutant. */
    public static String with(String json, @Nullable Mutant mutant) {
        return mutant == null ? json : json.replaceFirst("\\{", "{\n  \"mutant\": \"" + mutant.name() + "\",");
    }

    /**
     * The mutant of which the file says that it has to be planted; null when it says nothing.
     *
     * @throws IllegalArgumentException if there is no such mutant
     */
    public static @Nullable Mutant in(String file) {
        Matcher note = FIRST_FIELD.matcher(file);
        return note.find() ? Mutants.named(note.group(3)) : null;
    }

    /** The plan alone, with every line in the place that it has in the file. */
    public static String without(String file) {
        return FIRST_FIELD.matcher(file).replaceFirst("$1$2");
    }
}
