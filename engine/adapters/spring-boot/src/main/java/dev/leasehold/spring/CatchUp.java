package dev.leasehold.spring;

/** Which occurrences of {@link Leased#oncePer()} the start of an application makes up for. */
public enum CatchUp {
    /** None: an occurrence is done when the method is called. */
    NONE,
    /** The latest one, if no process did it. */
    LATEST
}
