package dev.leasehold.engine.campaign;

/**
 * One line of the journal of a process. Times are of the monotonic clock, which the processes of one machine share on
 * Linux and macOS, so that they can be compared.
 */
sealed interface Entry {

    /**
     * A call is about to be made.
     *
     * @param token the tenure that it is about; 0 when the call does not name one
     * @param durationNanos the term that it asks for; 0 when it asks for none
     */
    record Asked(
            String call, Operation operation, String lease, String holder, long token, long durationNanos, long atNanos)
            implements Entry {
        @Override
        public String line() {
            return join("asked", call, operation, lease, holder, token, durationNanos, atNanos);
        }
    }

    /**
     * What came of a call. An unknown outcome may be followed by a second one.
     *
     * @param token of the tenure that the answer names; 0 if there is none
     * @param detail the reason of a no, or the type of an exception
     */
    record Told(String call, Verdict verdict, long token, String detail, long atNanos) implements Entry {
        @Override
        public String line() {
            return join("told", call, verdict, token, detail, atNanos);
        }
    }

    /**
     * A lease was held in the database.
     *
     * @param call which call had begun the tenure, by its own word
     */
    record Seen(String lease, String holder, long token, String call) implements Entry {
        @Override
        public String line() {
            return join("seen", lease, holder, token, call);
        }
    }

    /** An engine showed a tenure as valid without a break. */
    record Valid(String lease, String holder, long token, long fromNanos, long untilNanos) implements Entry {
        @Override
        public String line() {
            return join("valid", lease, holder, token, fromNanos, untilNanos);
        }
    }

    /** The holder of a handle was told that it has lost its lease. */
    record Lost(String lease, String holder, long token, String reason, long atNanos) implements Entry {
        @Override
        public String line() {
            return join("lost", lease, holder, token, reason, atNanos);
        }
    }

    /** A process did nothing for a while: it was stopped, or the machine was busy with others. */
    record Slept(String process, long fromNanos, long untilNanos) implements Entry {
        @Override
        public String line() {
            return join("slept", process, fromNanos, untilNanos);
        }
    }

    /** {@return the entry as words with a space in between} */
    String line();

    /** Reads what {@link #line()} wrote. */
    static Entry parse(String line) {
        String[] word = line.split(" ");
        return switch (word[0]) {
            case "asked" ->
                new Asked(
                        word[1],
                        Operation.valueOf(word[2]),
                        word[3],
                        word[4],
                        number(word[5]),
                        number(word[6]),
                        number(word[7]));
            case "told" -> new Told(word[1], Verdict.valueOf(word[2]), number(word[3]), word[4], number(word[5]));
            case "seen" -> new Seen(word[1], word[2], number(word[3]), word[4]);
            case "valid" -> new Valid(word[1], word[2], number(word[3]), number(word[4]), number(word[5]));
            case "lost" -> new Lost(word[1], word[2], number(word[3]), word[4], number(word[5]));
            case "slept" -> new Slept(word[1], number(word[2]), number(word[3]));
            default -> throw new IllegalArgumentException("line '" + line + "' is no entry");
        };
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }

    private static String join(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        return line.toString();
    }
}
