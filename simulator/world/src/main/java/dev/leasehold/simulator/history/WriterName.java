package dev.leasehold.simulator.history;

/**
 * How the writers of simulated engines are named, so that the checker can tell whose clock a stamp is on. An engine's name is its
 * configured instance, {@code m3}, a hash sign, and the unique text that it was given, {@code 3i0n1}.
 *
 * @param number how many unique texts that engine had drawn before
 */
public record WriterName(int machine, int incarnation, int number) {

    /** The unique part. */
    public String uniqueText() {
        return machine + "i" + incarnation + "n" + number;
    }

    /** The name of the instance. */
    public static String instance(int machine) {
        return "m" + machine;
    }

    /** Whether a name, or what it begins with, is that of a writer of an engine. */
    public static boolean isOf(String name, int machine, int incarnation) {
        return name.startsWith(instance(machine) + "#" + machine + "i" + incarnation + "n");
    }

    /** Reads a writer's name. */
    public static WriterName of(String writer) {
        int hash = writer.lastIndexOf('#');
        int incarnation = writer.indexOf('i', hash);
        int number = writer.indexOf('n', incarnation);
        return new WriterName(
                Integer.parseInt(writer, hash + 1, incarnation, 10),
                Integer.parseInt(writer, incarnation + 1, number, 10),
                Integer.parseInt(writer, number + 1, writer.length(), 10));
    }
}
