package dev.leasehold.simulator.bugs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first field of a plan's file: the planted bug with which the plan breaks a promise. A plan does not know of bugs, and without its
 * bug it shows nothing; so the file keeps the two together.
 */
public final class BugNote {

    private static final Pattern FIRST_FIELD = Pattern.compile("\\A(\\s*\\{)(\\s*)\"bug\"\\s*:\\s*\"([^\"]*)\"\\s*,");

    private BugNote() {}

    /** The file of a plan, with a note if there is a bug. */
    public static String with(String json, @Nullable PlantedBug bug) {
        return bug == null ? json : json.replaceFirst("\\{", "{\n  \"bug\": \"" + bug.name() + "\",");
    }

    /**
     * The bug of which the file says that it has to be planted; null when it says nothing.
     *
     * @throws IllegalArgumentException if there is no such bug
     */
    public static @Nullable PlantedBug in(String file) {
        Matcher note = FIRST_FIELD.matcher(file);
        return note.find() ? PlantedBugs.named(note.group(3)) : null;
    }

    /** The plan alone, with every line in the place that it has in the file. */
    public static String without(String file) {
        return FIRST_FIELD.matcher(file).replaceFirst("$1$2");
    }
}
