package kotlin.sequences;

/** That of Kotlin, by its name. */
public interface Sequence<T> {}
