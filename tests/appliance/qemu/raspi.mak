# What QEMU is built with: the models of the Raspberry Pi, and what the tests plug into them.
CONFIG_RASPI=y
CONFIG_ARM_V7M=y
CONFIG_USB_STORAGE_CLASSIC=y
CONFIG_DS1338=y
# What the models leave out of their own list.
CONFIG_OR_IRQ=y
CONFIG_ARM_GIC=y
CONFIG_UNIMP=y
