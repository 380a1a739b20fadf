package dev.leasehold.release;

/** The versions that keep one API: those with one minor version before 1.0, with one major version from then on. */
record ReleaseLine(int major, int minor) {

    /** Of a version such as {@code 0.1.0} or {@code 1.2.0-rc.1}. */
    static ReleaseLine of(String version) {
        String[] numbers = version.split("[.-]");
        int major = Integer.parseInt(numbers[0]);
        return new ReleaseLine(major, major == 0 ? Integer.parseInt(numbers[1]) : 0);
    }

    /** Whether {@code next} may break what calls {@code released}. */
    static boolean mayBreak(String released, String next) {
        return !of(released).equals(of(next));
    }
}
