"""What the script `keystone-manage` does. As root it demands to be told whose the keys are."""
import grp
import os
import pwd
import sys

from keystone.cmd.manage import main

if sys.argv[-1].endswith(("_setup", "_migrate")):
    sys.argv += ["--keystone-user", pwd.getpwuid(os.geteuid()).pw_name]
    sys.argv += ["--keystone-group", grp.getgrgid(os.getegid()).gr_name]
main()
