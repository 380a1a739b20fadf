package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The account for programs that refuse to be run by root: that of the benchmark, or {@code nobody} in the place of root. */
final class Account {

    private static final String SUBSTITUTE = "nobody";
    private static final int ROOT = 0;

    private final List<String> prefix;

    private Account(List<String> prefix) {
        this.prefix = prefix;
    }

    /**
     * The account for a folder, which is given to it.
     *
     * @throws IOException if this is root, and no other account can be used
     */
    static Account withoutRoot(Path folder) throws IOException {
        if (number(folder) != ROOT) {
            return new Account(List.of());
        }
        Path program = OnPath.find("setpriv")
                .orElseThrow(
                        () -> new IOException("it refuses to be run by root, and there is no setpriv on the PATH"));
        UserPrincipal substitute =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(SUBSTITUTE);
        Files.setOwner(folder, substitute);
        letPass(Objects.requireNonNull(folder.toAbsolutePath().getParent()));
        int number = number(folder);
        return new Account(List.of(program.toString(), "--reuid=" + number, "--regid=" + number, "--clear-groups"));
    }

    /** A folder belongs to the account that created it. */
    private static int number(Path folder) throws IOException {
        return (int) Files.getAttribute(folder, "unix:uid");
    }

    private static void letPass(Path folder) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(folder, permissions);
    }

    /** {@return the command by which this account runs one} */
    List<String> command(List<String> command) {
        return Stream.concat(prefix.stream(), command.stream()).toList();
    }
}
