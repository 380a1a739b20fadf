package kotlinx.coroutines.channels;

/** That of Kotlin, by its name. */
public interface ReceiveChannel<T> {}
