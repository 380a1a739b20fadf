package dev.leasehold.simulator.campaign;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a process, which is that of its engine's instance.
 *
 * @param machine its place in the campaign
 * @param incarnation counts the processes of that place
 */
record ProcessName(int machine, int incarnation) {

    /** A dot of an instance is stored as a tilde. */
    private static final Pattern FORM = Pattern.compile("p(\\d+)[.~](\\d+)(#.*)?");

    /** Of the name itself, or of that of a writer; null for the name of nothing in the campaign. */
    static @Nullable ProcessName find(String name) {
        Matcher parts = FORM.matcher(name);
        return parts.matches()
                ? new ProcessName(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
                : null;
    }

    static ProcessName of(String name) {
        ProcessName found = find(name);
        if (found == null) {
            throw new IllegalArgumentException("'" + name + "' is no process of the campaign");
        }
        return found;
    }

    @Override
    public String toString() {
        return "p" + machine + "." + incarnation;
    }
}
