package kotlin.coroutines;

/** Stands for that of Kotlin, which is not on the class path: suspend functions have a parameter of this type. */
public interface Continuation<T> {}
