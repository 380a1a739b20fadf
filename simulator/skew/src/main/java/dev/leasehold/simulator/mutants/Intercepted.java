package dev.leasehold.simulator.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Parts of the engine of which one method does something else. */
final class Intercepted {

    private Intercepted() {}

    /** What is done instead. */
    interface Replacement {
        @Nullable Object call(Object[] arguments, Original original) throws Throwable;
    }

    /** What would have been done. */
    interface Original {
        @Nullable Object call() throws Throwable;
    }

    /** The same part, but for one method. Arguments that the replacement changes are changed for the original too. */
    static <T> T part(Class<T> type, T part, String method, Replacement replacement) {
        if (Arrays.stream(type.getMethods()).map(Method::getName).noneMatch(method::equals)) {
            throw new IllegalStateException(type + " has no method " + method);
        }
        Class<?>[] types = {type};
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), types, (self, called, arguments) -> {
            Original original = () -> {
                try {
                    Object result = called.invoke(part, arguments);
                    return called.getReturnType() == type ? self : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            return called.getName().equals(method) ? replacement.call(arguments, original) : original.call();
        });
        return type.cast(proxy);
    }
}
