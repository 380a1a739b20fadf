package dev.leasehold.replicaset;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program of another JVM: starts a set, says so, and ends as asked, without closing the set. */
public final class SetHolder {

    static final String READY = "ready";

    /** The mode in which the program has a class loader of its own, which is closed when its main method has returned. */
    static final String OWN_LOADER = "own-loader";

    private SetHolder() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        if (arguments[0].equals(OWN_LOADER)) {
            runInOwnLoader();
            return;
        }
        ReplicaSet set = ReplicaSet.start(1);
        if (arguments[0].equals("pause")) {
            set.node(0).pause();
        }
        System.out.println(READY);
        if (System.in.read() == 'x') {
            System.exit(3);
        }
    }

    /** As exec-maven-plugin does it. */
    private static void runInOwnLoader() throws IOException, ReflectiveOperationException {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            loader.loadClass(SetHolder.class.getName())
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {"run"});
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
