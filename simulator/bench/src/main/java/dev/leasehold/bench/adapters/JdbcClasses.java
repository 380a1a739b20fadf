package dev.leasehold.bench.adapters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Classes that know nothing of the class path, nor it of them: they are asked by names. Safe for use by many threads. */
final class JdbcClasses {

    private static final Map<Path, JdbcClasses> LOADED = new ConcurrentHashMap<>();

    private final ClassLoader loader;

    private JdbcClasses(ClassLoader loader) {
        this.loader = loader;
    }

    /** {@return those in the jars of a folder: the same ones each time, since code that was loaded anew would be cold} */
    static JdbcClasses in(Path folder) {
        return LOADED.computeIfAbsent(folder, JdbcClasses::load);
    }

    private static JdbcClasses load(Path folder) {
        try {
            List<Path> jars = JdbcJars.in(folder);
            URL[] urls = new URL[jars.size()];
            for (int number = 0; number < urls.length; number++) {
                urls[number] = jars.get(number).toUri().toURL();
            }
            return new JdbcClasses(new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes an object by the public constructor that takes the arguments.
     *
     * @throws Exception what the constructor throws, and if there is none
     */
    Object make(String type, Object... arguments) throws Exception {
        Constructor<?> constructor = taking(Stream.of(loader.loadClass(type).getConstructors()), type, arguments);
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw thrown(e);
        }
    }

    /**
     * Calls the public method of that name that takes the arguments.
     *
     * @throws Exception what the method throws, and if there is none
     */
    static Object call(Object object, String name, Object... arguments) throws Exception {
        Stream<Method> named = Stream.of(object.getClass().getMethods())
                .filter(method -> method.getName().equals(name));
        return call(object, taking(named, name, arguments), arguments);
    }

    /**
     * Calls a method.
     *
     * @throws Exception what the method throws
     */
    static Object call(Object object, Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw thrown(e);
        }
    }

    private static <E extends Executable> E taking(Stream<E> candidates, String name, Object[] arguments)
            throws NoSuchMethodException {
        return candidates
                .filter(candidate -> takes(candidate.getParameterTypes(), arguments))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(name + " does not take " + Arrays.toString(arguments)));
    }

    private static boolean takes(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int number = 0; number < types.length; number++) {
            Class<?> type = MethodType.methodType(types[number]).wrap().returnType();
            if (!type.isInstance(arguments[number])) {
                return false;
            }
        }
        return true;
    }

    private static Exception thrown(InvocationTargetException e) {
        return e.getCause() instanceof Exception cause ? cause : e;
    }
}
