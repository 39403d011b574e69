// The wallets in the examples of actions: accounts of the embedded chain.
export const poster = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
export const worker = '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199';
export const arbitrator = '0xbDA5747bFD65F08deb54cb465eB87D40e51B197E';
