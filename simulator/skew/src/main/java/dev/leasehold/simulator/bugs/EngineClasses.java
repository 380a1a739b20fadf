package dev.leasehold.simulator.bugs;

import dev.leasehold.simulator.plan.HistoryRunner;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Loads the acting side anew, from the same class files, with some of its classes changed on the way. The judging side comes from the
 * parent, so that plans and histories mean the same to both.
 */
public final class EngineClasses extends ClassLoader {

    private static final String RUNNER = "dev.leasehold.simulator.run.EngineRunner";

    /** What takes part in a history. All of it has to see the same engine. */
    private static final List<String> ACTING = List.of(
            "dev.leasehold.engine.",
            "dev.leasehold.assertions.",
            "dev.leasehold.simulator.store.",
            "dev.leasehold.simulator.world.",
            "dev.leasehold.simulator.run.",
            "dev.leasehold.simulator.bugs.mistakes.");

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> changed;

    private EngineClasses(ClassLoader parent, Map<String, byte[]> changed) {
        super("engine with a planted bug", parent);
        this.changed = Map.copyOf(changed);
    }

    /**
     * Plays plans with the engine as it is, or with a copy of it that has a bug.
     *
     * @param bug to be planted; null for none
     * @throws IllegalStateException if the bug finds no place in the engine any more
     */
    public static HistoryRunner runner(@Nullable PlantedBug bug) {
        return newRunner(bug == null ? EngineClasses.class.getClassLoader() : with(bug));
    }

    /** The acting side with a bug. Every class that the bug is about is changed at once, so that one that has lost its place is noticed. */
    static ClassLoader with(PlantedBug bug) {
        ClassLoader original = EngineClasses.class.getClassLoader();
        return new EngineClasses(original, Change.classFiles(bug.changes(), original));
    }

    private static HistoryRunner newRunner(ClassLoader loader) {
        try {
            return (HistoryRunner)
                    Class.forName(RUNNER, true, loader).getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(RUNNER + " could not be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(RUNNER + " could not be made", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isActing(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    private static boolean isActing(String name) {
        return ACTING.stream().anyMatch(name::startsWith);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] classFile = changed.containsKey(name) ? changed.get(name) : original(name);
        return defineClass(name, classFile, 0, classFile.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream classFile = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (classFile == null) {
                throw new ClassNotFoundException(name);
            }
            return classFile.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
