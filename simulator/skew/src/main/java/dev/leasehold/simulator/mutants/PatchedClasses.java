package dev.leasehold.simulator.mutants;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.simulator.mutants.advice.ChangedRule;
import dev.leasehold.simulator.run.EngineRunner;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads the acting side anew, from the same class files, with one function of it changed. The checking side comes from the parent, so
 * that plans and histories mean the same to both.
 */
final class PatchedClasses extends ClassLoader {

    /** What takes part in a history. All of it has to see the same engine. */
    private static final List<String> ACTING = Stream.of(
                    LeaseEngine.class,
                    LeaseAssertion.class,
                    SimulatedDatabase.class,
                    Simulation.class,
                    EngineRunner.class,
                    ChangedRule.class)
            .map(type -> type.getPackageName() + ".")
            .toList();

    static {
        registerAsParallelCapable();
    }

    private final String patched;
    private final byte[] classFile;

    PatchedClasses(Patch patch) {
        super(patch.name(), PatchedClasses.class.getClassLoader());
        this.patched = patch.type().getName();
        this.classFile = patch.classFile();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (ACTING.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = name.equals(patched) ? classFile : unchanged(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] unchanged(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
